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
