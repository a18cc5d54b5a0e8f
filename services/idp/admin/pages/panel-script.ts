/**
 * The script of the mappers' page: shows what the text makes of the sample while it is typed. The
 * server makes the preview; without this script the button does.
 */
export const panelScript = `'use strict'
const form = document.getElementById('mappers')
const preview = document.getElementById('preview')
let timer
let latest = 0

async function show() {
  const turn = ++latest
  try {
    const response = await fetch(form.dataset.preview, {
      method: 'POST',
      body: new URLSearchParams(new FormData(form)),
      redirect: 'error',
    })
    const markup = await response.text()
    if (response.ok && turn === latest) preview.innerHTML = markup
  } catch {
    // The last preview stays; the next key asks again.
  }
}

form.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(show, 250)
})
`
