/** The colours of all pages, light and dark, and the font of code. */
export const colourStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#eef2f7, #10131a);
  --glow: light-dark(#dfe8f6, #182033);
  --card: light-dark(#ffffff, #1a1f29);
  --inset: light-dark(#f5f7fb, #222835);
  --ink: light-dark(#182136, #e9edf5);
  --soft: light-dark(#525d72, #a9b3c5);
  --line: light-dark(#d8dfea, #343c4b);
  --accent: light-dark(#1d4ed8, #8fb0ff);
  --on-accent: light-dark(#ffffff, #0c1426);
  --good: light-dark(#0b6b43, #7fdcb0);
  --good-ground: light-dark(#e4f5ec, #17352a);
  --alert: light-dark(#94211a, #ffb4ac);
  --alert-ground: light-dark(#fdeceb, #3a1c1a);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
`

/** The style of all pages: a card on a plain background, light and dark, mobile first. */
export const pageStyle = `${colourStyle}
* { box-sizing: border-box }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
  background: radial-gradient(90rem 45rem at 50% -10rem, var(--glow), transparent) var(--ground);
  color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: anywhere;
}
.card {
  width: 100%; max-width: 26rem; padding: 1.75rem 1.5rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 20px;
  box-shadow: 0 1px 2px rgb(20 30 60 / .06), 0 18px 48px -12px rgb(20 30 60 / .16);
}
h1 { margin: 0; font-size: 1.45rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance }
p { margin: .5rem 0 }
.soft { color: var(--soft) }
.soft strong { color: var(--ink) }
.small { font-size: .875rem }
.alert {
  margin: 1.25rem 0; padding: .75rem .9rem; border-radius: 12px;
  color: var(--alert); background: var(--alert-ground);
}
.code { color: var(--soft); font: .8rem/1.5 var(--mono); overflow-wrap: anywhere }
.languages { margin: 1rem 0 0; font-size: .875rem; text-align: center }
.languages a { color: var(--soft) }
form { margin: .75rem 0 0 }
label { display: block; margin: 0 0 .3rem; font-weight: 600; font-size: .9rem }
input {
  width: 100%; margin: 0 0 1rem; padding: .65rem .75rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--soft); border-radius: 12px;
}
.button {
  display: block; width: 100%; margin: 1rem 0 0; padding: .8rem 1rem; font: inherit;
  font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
  color: var(--accent); background: transparent; border: 1px solid var(--accent); border-radius: 12px;
}
.button.primary { color: var(--on-accent); background: var(--accent) }
.button.quiet { margin: 0; color: var(--soft); border-color: transparent; font-weight: 400 }
.button:hover { text-decoration: underline }
:is(.button, .languages a, input, summary):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`

/**
 * The style of pages with a menu and data (console, admin panel, inbox): the style of all pages,
 * then menu, tables, tiles, badges and forms. For phones, desks and projectors, light and dark.
 * A page may fix its theme with `data-theme="light"` or `"dark"` on `<html>`.
 */
export const appStyle = `${pageStyle}
:root {
  --wait: light-dark(#5c4300, #f2d083);
  --wait-ground: light-dark(#fbf1d8, #352a0c);
}
[data-theme="light"] { color-scheme: light }
[data-theme="dark"] { color-scheme: dark }
/* Paper has no dark ground. */
@media print { [data-theme="dark"] { color-scheme: light } }
body { display: block; place-items: normal; padding: 0; font-size: 1.0625rem }
a { color: var(--accent) }
h1 { font-size: 1.7rem; margin: 0 0 1rem }
h2 { margin: 1.75rem 0 .6rem; font-size: 1.25rem; text-wrap: balance }
h3 { margin: 1rem 0 .25rem; font-size: 1rem; color: var(--soft) }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip { position: absolute; left: -999px }
.skip:focus { left: .5rem; top: .5rem; padding: .5rem; background: var(--card); z-index: 10 }
.lead { margin: -.5rem 0 1.25rem; max-width: 46rem; color: var(--soft) }

.card { max-width: none; padding: 1.25rem; margin: 0 0 1rem; border-radius: 14px; box-shadow: none }
.card > :is(h2, h3):first-child { margin-top: 0 }
.tiles { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)) }
.tiles > .card { margin: 0 }
.columns { display: grid; gap: 1rem; align-items: start }
@media (min-width: 60rem) { .columns { grid-template-columns: 1fr 1fr } }
.row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center }
.row > p, .row > h2 { margin: 0 }
.row.apart { justify-content: space-between }
.narrow { max-width: 30rem }

.scrollable { overflow-x: auto }
table { width: 100%; border-collapse: collapse; font-size: .95rem }
caption { padding: .25rem 0; text-align: left; font-weight: 600 }
th, td { padding: .45rem .75rem .45rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
th, td, .badge { overflow-wrap: break-word }
thead th { color: var(--soft); font-size: .85rem; font-weight: 600; white-space: nowrap }
tbody th { font-weight: 600 }
.number { text-align: right; font-variant-numeric: tabular-nums }
.time { white-space: nowrap; font-variant-numeric: tabular-nums }
dl { margin: 0; display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .35rem 1rem }
dt { color: var(--soft) }
dd { margin: 0; min-width: 0 }
.list { margin: 0; padding: 0; list-style: none }
.filters { display: flex; flex-wrap: wrap; gap: .25rem; margin: 0 0 1rem; padding: 0; list-style: none }
.filters a { display: block; padding: .4rem .8rem; border-radius: 99px; color: var(--ink); text-decoration: none }
.filters a::first-letter { text-transform: uppercase }
.filters a[aria-current] { color: var(--on-accent); background: var(--accent); font-weight: 600 }
.entries { margin: 0; padding: 0; list-style: none }
.entries li { padding: .6rem 0; border-top: 1px solid var(--line) }
.entries li:first-child { border-top: 0 }
.entries p { margin: .15rem 0 }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; row-gap: 0 } dd { margin-bottom: .5rem } }

code, .code { font: .9em/1.5 var(--mono) }
pre { margin: .5rem 0 0; padding: .75rem; overflow: auto; max-height: 24rem; background: var(--inset); border-radius: 10px; font: .85rem/1.5 var(--mono) }
.hash { display: inline-flex; align-items: baseline; gap: .25rem; max-width: 100% }
.copy { padding: 0 .3rem; color: var(--soft); background: none; border: 0; border-radius: 6px; font: inherit; cursor: pointer }
.copy:hover { color: var(--accent) }
details { margin: .75rem 0 0 }
summary { cursor: pointer; color: var(--accent) }

.badge { display: inline-block; padding: .1rem .6rem; border-radius: 99px; font-size: .82rem; white-space: nowrap; color: var(--soft); background: var(--inset) }
.badge.good { color: var(--good); background: var(--good-ground) }
.badge.bad { color: var(--alert); background: var(--alert-ground) }
.badge.wait { color: var(--wait); background: var(--wait-ground) }
.done, .alert, .warning { margin: 0 0 1rem; padding: .75rem .9rem; border-radius: 12px }
.done { color: var(--good); background: var(--good-ground) }
.warning { color: var(--wait); background: var(--wait-ground) }
.fault { color: var(--alert) }

.button { display: inline-block; width: auto; margin: 0; padding: .6rem 1.1rem }
.button.small { padding: .3rem .75rem; font-size: .9rem; border-radius: 9px }
.button.danger { color: var(--alert); border-color: var(--alert) }
.button[aria-busy='true'] { opacity: .55; cursor: progress }
.button:disabled { opacity: .55; cursor: default; text-decoration: none }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0 0 }
input, select, textarea { min-height: 3.1rem; margin: 0 0 1rem; background: var(--card) }
select, textarea {
  display: block; width: 100%; padding: .65rem .75rem; font: inherit; color: inherit;
  border: 1px solid var(--soft); border-radius: 12px;
}
textarea { font: .9rem/1.6 var(--mono) }
input:is([type="checkbox"], [type="radio"], [type="range"]) { width: auto; min-height: 0; margin: 0; accent-color: var(--accent) }
input[type="range"] { width: 100% }
fieldset { margin: 0 0 1rem; padding: 0; border: 0 }
legend { padding: 0; font-weight: 600; font-size: .9rem }
.choice { display: flex; gap: .5rem; align-items: center; margin: .25rem 0; font-weight: 400 }
.choice input { flex: none; width: 1.15rem; height: 1.15rem }
[aria-invalid="true"] { border-color: var(--alert); border-width: 2px }
:is(a, select, textarea, pre, .scrollable, .copy, [tabindex]):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
@media (prefers-reduced-motion: no-preference) {
  .fresh { animation: fresh 1.6s ease-out }
  @keyframes fresh { from { background: var(--good-ground) } }
}
`

/**
 * The style of the bar above the pages of a service: its name, its menu, and the way back to the
 * console. It needs only the colours, so that it fits above Swagger's own style too.
 */
export const barStyle = `
.bar {
  display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; padding: .6rem 1.25rem;
  color: var(--ink); background: var(--card); border-bottom: 1px solid var(--line);
  font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
.bar .brand { margin: 0; font-weight: 700 }
.bar nav { flex: 1 1 auto }
.bar ul { display: flex; flex-wrap: wrap; gap: .25rem; margin: 0; padding: 0; list-style: none }
.bar li a { display: block; padding: .4rem .6rem; border-radius: 8px; color: var(--ink); text-decoration: none }
.bar li a:hover { text-decoration: underline }
.bar li a[aria-current] { color: var(--on-accent); background: var(--accent); font-weight: 600 }
.bar form { margin: 0 }
.bar .console { margin-left: auto; color: var(--accent) }
.bar nav ~ .console { margin-left: 0 }
.bar a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`
