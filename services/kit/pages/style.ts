/** The look of what people see: one card, light and dark, for a phone first. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#eef1f6, #12151c);
  --card: light-dark(#ffffff, #1c212b);
  --ink: light-dark(#1a2233, #e8ecf4);
  --soft: light-dark(#566074, #a3adbf);
  --line: light-dark(#cfd6e2, #343c4b);
  --accent: light-dark(#1f4fd8, #8aabff);
  --on-accent: light-dark(#ffffff, #0d1220);
  --alert: light-dark(#94211a, #ffb1a9);
  --alert-ground: light-dark(#fdeceb, #3a1c1a);
}
* { box-sizing: border-box }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
.card {
  width: 100%; max-width: 26rem; padding: 1.75rem 1.5rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 16px; box-shadow: 0 10px 30px rgb(20 30 60 / .08);
}
h1 { margin: 0; font-size: 1.4rem; line-height: 1.25 }
p { margin: .5rem 0 }
.soft { color: var(--soft) }
.soft strong { color: var(--ink) }
.small { font-size: .875rem }
.alert {
  margin: 1.25rem 0; padding: .75rem .9rem; border-radius: 10px;
  color: var(--alert); background: var(--alert-ground);
}
.code { color: var(--soft); font: .8rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
form { margin: .75rem 0 0 }
label { display: block; margin: 0 0 .3rem; font-weight: 600; font-size: .9rem }
input {
  width: 100%; margin: 0 0 1rem; padding: .65rem .75rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--soft); border-radius: 10px;
}
.button {
  display: block; width: 100%; margin: 1rem 0 0; padding: .8rem 1rem; font: inherit;
  font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
  color: var(--accent); background: transparent; border: 1px solid var(--accent); border-radius: 10px;
}
.button.primary { color: var(--on-accent); background: var(--accent) }
.button.quiet { margin: 0; color: var(--soft); border-color: transparent; font-weight: 400 }
:is(.button, input, summary):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`
