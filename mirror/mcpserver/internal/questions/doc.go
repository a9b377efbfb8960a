// Package questions asks the tools of package mcpserver what dispatchers, brokers, accountants,
// customer service and managers ask, about an account of the simulated service.
//
// The questions, with definitions of the right answers, were written before the tools, by somebody
// who had seen neither the tools nor the data: testdata/questions.json. A right answer is computed
// from the world of the simulator, never from the mirror or the tools. Each question has at most
// two calls, and nothing is sent to the service meanwhile.
package questions
