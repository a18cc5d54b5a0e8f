import { classifyStatus } from '../../../classify-answer.ts'
import { defineCheck } from '../../../define-check.ts'
import { broken, held, inconclusive } from '../../../finding.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O28',
  title: 'The admin panel shows nothing without a login',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.endpoints/credential-idp.9', '1.authentication.6'],
  description: 'Whoever reaches it registers clients and redirect URIs of his own.',
  sends: 'GET /admin/ without a session.',
  decides: 'It shows a login page, or is refused.',
  async run({ createBrowser, target }) {
    const { status, text } = await createBrowser().get(`${target.issuer}/admin/`)
    if (status === 404) return inconclusive('There is nothing at /admin/: HTTP 404.')
    const kind = classifyStatus(status)
    if (kind !== 'accepted' && kind !== 'refused') return inconclusive(`It met HTTP ${status}.`)
    return kind === 'refused' || /type="?password/i.test(text)
      ? held('Without a login the panel asks for one.')
      : broken('GET /admin/ shows something without a login.', { actual: status })
  },
})
