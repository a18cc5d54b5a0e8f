import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, classifyStatus } from '../../../kit/classify-answer.ts'
import { answersEverything } from '../../../kit/read-pages.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O28',
  title: 'The admin panel shows nothing without a login',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.endpoints/credential-idp.9', '1.authentication.6'],
  description: 'Whoever reaches it registers clients and redirect URIs of his own.',
  sends: 'GET /admin/ without a session.',
  decides:
    'It is refused, shows a login, or leads elsewhere; a page that only a script fills decides nothing.',
  async run({ discover, createBrowser, baseUrl }) {
    // Who is closed altogether does not keep the panel in particular.
    await asPremise('the discovery document (see O01)', discover())
    const address = `${baseUrl}/admin/`
    const browser = createBrowser()
    const page = await asPremise('opening /admin/', browser.get(address))
    const { status, text, url } = page
    if (status === 401 || status === 403) {
      return held(`Without a login the panel is refused: HTTP ${status}.`)
    }
    if (status === 404) return inconclusive('There is nothing at /admin/: HTTP 404.')
    if (classifyStatus(status) !== 'accepted') {
      return inconclusive(`GET /admin/ met HTTP ${status}, which says nothing about a login.`)
    }
    if (await answersEverything(browser, page)) {
      return inconclusive('GET /admin/ answers the page that is at every address.')
    }
    if (/<input\b[^>]*type\s*=\s*["']?password/i.test(text)) {
      return held('Without a login the panel asks for one.')
    }
    if (!url.startsWith(address.slice(0, -1))) {
      return held(`Without a login the panel leads to ${url.split('?')[0]}.`)
    }
    return wordsOf(text) === '' && /<script\b/i.test(text)
      ? inconclusive('GET /admin/ answers a page that only its script fills.')
      : broken('GET /admin/ shows something without a login.', { actual: status })
  },
})

/** What a page says to people before any script has run. */
const wordsOf = (text: string) =>
  text
    .replace(/<(head|script|style|noscript|template)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<[^>]*>/g, '')
    .trim()
