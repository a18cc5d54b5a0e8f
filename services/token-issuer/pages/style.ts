import { pageStyle as base } from '#core/html/page-style.ts'

/** The look of the sign-in pages. */
export const style = `${base}
.divider { display: flex; align-items: center; gap: .75rem; margin: 1.5rem 0; color: var(--soft); font-size: .85rem }
.divider::before, .divider::after { content: ""; flex: 1; border-top: 1px solid var(--line) }
`
