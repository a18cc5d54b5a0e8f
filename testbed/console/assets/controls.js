// The time of the testbed, every second: that of this machine and its difference. If another page or
// a program changes something, the page is loaded again.
import { pageData } from './kit.js'

const { clockOffset } = pageData()
const shown = document.getElementById('now')

function showTime() {
  const iso = new Date(Date.now() + clockOffset).toISOString()
  shown.dateTime = iso
  shown.textContent = `${iso.slice(0, 19).replace('T', ' ')} UTC`
}

setInterval(showTime, 1000)

addEventListener('modified', () => {
  const { activeElement } = document
  // Not while a person is filling in a form.
  if (activeElement.matches('input, select')) return
  const { id } = activeElement.closest('form') ?? {}
  if (id) sessionStorage.setItem('used-form', id)
  location.reload()
})
