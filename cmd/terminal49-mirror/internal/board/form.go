package board

import "net/http"

// formCookie remembers that rows are roomy; without it, they have one line.
const formCookie = "form"

const roomy = "roomy"

// mostRoomy is how many containers that were looked for are shown with the whole sentence.
const mostRoomy = 5

// isRoomy reports whether a visitor chose roomy rows.
func isRoomy(r *http.Request) bool {
	cookie, err := r.Cookie(formCookie)
	return err == nil && cookie.Value == roomy
}

// OtherForm returns the value of the button that changes the form of the rows.
func (h head) OtherForm() string {
	if h.Roomy {
		return "compact"
	}
	return roomy
}

// chooseForm remembers for a year how a visitor wants the rows.
func (s *site) chooseForm(w http.ResponseWriter, r *http.Request) {
	if !readForm(w, r) {
		return
	}
	cookie := &http.Cookie{Name: formCookie, Value: roomy, Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true, SameSite: http.SameSiteStrictMode}
	if r.PostForm.Get("form") != roomy {
		cookie.Value, cookie.MaxAge = "", -1
	}
	http.SetCookie(w, cookie)
	http.Redirect(w, r, ownPath(r.PostForm.Get("back")), http.StatusSeeOther)
}
