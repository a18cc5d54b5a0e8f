// Loads the inbox again when emails arrive or disappear. Only its first page has the newest email.
import { call, pageData } from './kit.js'

const { total, newest } = pageData()

setInterval(async () => {
  // A reader who is about to delete keeps the page.
  if (document.hidden || document.querySelector('details[open]')) return
  const now = await call('GET', '/console/inbox').catch(() => undefined)
  if (now && (now.total !== total || (newest && now.newest !== newest))) location.reload()
}, 2000)
