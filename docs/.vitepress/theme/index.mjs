// The theme with the fonts of the system: the site loads nothing from elsewhere.
import { onContentUpdated } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import './site.css'

/**
 * Marks cells with long and short values, and names the column in each cell, so that a narrow window
 * can show a row as a list: site.css.
 */
function labelCells() {
  for (const table of document.querySelectorAll('.vp-doc table')) {
    const names = [...(table.tHead?.rows[0]?.cells ?? [])].map(({ textContent }) => textContent)
    table.classList.toggle('labelled', names.length > 2)
    for (const cell of table.querySelectorAll('td')) {
      cell.dataset.label = names[cell.cellIndex] ?? ''
      cell.classList.toggle('long', /\S{20}/.test(cell.textContent))
      cell.classList.toggle('short', cell.textContent.length < 12)
    }
  }
}

export default {
  extends: DefaultTheme,
  Layout: {
    setup() {
      onContentUpdated(labelCells)
      return () => h(DefaultTheme.Layout)
    },
  },
}
