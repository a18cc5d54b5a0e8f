// The time of the testbed, every second.
import { pageData } from './kit.js'

const { offset } = pageData()
const shown = document.getElementById('now')

function showTime() {
  const iso = new Date(Date.now() + offset).toISOString()
  shown.dateTime = iso
  shown.textContent = `${iso.slice(0, 19).replace('T', ' ')} UTC`
}

setInterval(showTime, 1000)
