// Loads the inbox again when emails arrive or disappear.
import { call, pageData } from './kit.js'

const { total, newest } = pageData()

setInterval(async () => {
  // A reader who is about to delete keeps the page.
  if (document.hidden || document.querySelector('details[open]')) return
  const now = await call('GET', '/console/inbox').catch(() => undefined)
  if (now && (now.total !== total || now.newest !== newest)) location.reload()
}, 2000)
