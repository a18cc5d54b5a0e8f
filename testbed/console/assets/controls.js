// The time of the testbed, every second: that of this machine and its difference.
import { pageData } from './kit.js'

const { clockOffset } = pageData()
const shown = document.getElementById('now')

function showTime() {
  const iso = new Date(Date.now() + clockOffset).toISOString()
  shown.dateTime = iso
  shown.textContent = `${iso.slice(0, 19).replace('T', ' ')} UTC`
}

setInterval(showTime, 1000)
