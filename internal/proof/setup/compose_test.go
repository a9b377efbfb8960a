package setup

import (
	"cmp"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// compose reads the compose file as Docker does, with a file of settings next to it that lacks one
// setting.
func compose(t *testing.T, missing string) (*types.Project, error) {
	t.Helper()
	folder := t.TempDir()
	files := map[string]string{"compose.yaml": read(t, "deploy/compose.yaml"), ".env": ""}
	for line := range strings.Lines(read(t, "deploy/env.example")) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && name != missing {
			files[".env"] += name + "=" + cmp.Or(value, "secret-"+strings.ToLower(name)) + "\n"
		}
	}
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	options, err := cli.NewProjectOptions([]string{filepath.Join(folder, "compose.yaml")}, cli.WithEnvFiles(), cli.WithDotEnv)
	require.NoError(t, err)
	return options.LoadProject(t.Context())
}

// The programs have least rights, and only this machine reaches the board.
func TestCompose_LeastRights(t *testing.T) {
	project, err := compose(t, "")
	require.NoError(t, err)
	require.Len(t, project.Services, 3)
	for name, service := range project.Services {
		require.Contains(t, service.SecurityOpt, "no-new-privileges:true", name)
		for _, port := range service.Ports {
			require.Equal(t, "127.0.0.1", port.HostIP, name)
		}
		if _, program, ours := strings.Cut(service.Image, "ghcr.io/go-freight/"); ours {
			program, version, _ := strings.Cut(program, ":")
			require.Contains(t, commands, program)
			require.Equal(t, terminal49.Version, version)
			require.True(t, service.ReadOnly, name)
			require.Equal(t, "65532:65532", service.User, name)
			require.Equal(t, []string{"ALL"}, service.CapDrop, name)
		}
	}
}

// Each secret comes from the environment, and a missing one is named.
func TestCompose_NamesMissingSettings(t *testing.T) {
	project, err := compose(t, "")
	require.NoError(t, err)
	for _, service := range project.Services {
		for _, secret := range environment(service) {
			if name, value, _ := strings.Cut(secret, "="); strings.Contains(name, "TOKEN") || strings.Contains(name, "PASSWORD") {
				require.Contains(t, value, "secret-", name)
			}
		}
	}
	for _, missing := range []string{"T49_VERSION", "T49_API_TOKEN", "POSTGRES_PASSWORD", "MIRROR_PASSWORD", "BOARD_PASSWORD"} {
		_, err := compose(t, missing)
		require.ErrorContains(t, err, missing)
		require.ErrorContains(t, err, "is missing in deploy/.env")
	}
}

// The mirror and the board run with the arguments, environments and roles of the compose file, and
// with a real Postgres in place of its service.
func TestCompose_ProgramsRun(t *testing.T) {
	programs := built(t)
	project, err := compose(t, "")
	require.NoError(t, err)
	address, err := url.Parse(engines.StartPostgres(t).DSN())
	require.NoError(t, err)
	psql := func(database string, args ...string) {
		t.Helper()
		cmd := command(t, environment(project.Services["postgres"]), "psql", append(args, "--no-psqlrc", "--quiet", "--dbname",
			"postgres://postgres@"+address.Host+"/"+database)...)
		require.NoError(t, quiet(cmd))
	}
	psql("postgres", "--command", "create database freight")
	psql("freight", "--file", filepath.Join(root, "deploy/roles.sql"))
	psql("freight", "--command", "do $$ begin assert (select count(*) = 2 from pg_authid where rolname in ('mirror', 'board') and rolpassword like 'SCRAM%'); end $$")

	// here replaces the addresses that only exist between containers.
	here := strings.NewReplacer("host=postgres", "host="+address.Hostname()+" port="+address.Port(), "@postgres/", "@"+address.Host+"/", "0.0.0.0:8049", "127.0.0.1:0").Replace
	service := func(name string, args ...string) *exec.Cmd {
		var vars, given []string
		for _, v := range environment(project.Services[name]) {
			vars = append(vars, here(v))
		}
		for _, arg := range args {
			given = append(given, here(arg))
		}
		return command(t, vars, filepath.Join(programs, "terminal49-mirror"), given...)
	}
	mirror := project.Services["mirror"]
	running := service("mirror", mirror.Command...)
	running.Env = append(running.Env, simulator(t)...)
	start(t, running)

	check := mirror.HealthCheck.Test
	require.Equal(t, []string{"CMD", "/terminal49-mirror"}, []string(check[:2]), "the image has no shell")
	require.Eventually(t, func() bool { return service("mirror", check[2:]...).Run() == nil }, patience, 200*time.Millisecond)

	out := start(t, service("board", project.Services["board"].Command...))
	page(t, until(t, out, "^http://"), "MSKU7182411")
	psql("freight", "--command", `set role board; do $$ begin delete from t49.containers; raise 'the board may write'; exception when insufficient_privilege then end $$`)
}

func environment(s types.ServiceConfig) (all []string) {
	for name, value := range s.Environment {
		all = append(all, name+"="+*value)
	}
	return all
}
