import { createStatusEntry } from '#core/status-list/status-list-credential.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectTrapUnvisited } from '../expect-trap-unvisited.ts'

export const check = defineVerifierCheck({
  id: 'V82',
  title: 'Neither status list nor kid send the verifier to a foreign address',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-29', 'CWE-918, Server-Side Request Forgery'],
  description:
    'Every address in a credential is the choice of who made it, and did:web makes an address of a kid.',
  sends:
    'Credentials whose status list, and whose kid by did:web, are on another port of this machine.',
  decides: 'None may be accepted, and nothing may be asked for at that address.',
  run: (context) =>
    expectTrapUnvisited(context, ({ origin }) => {
      const did = `did:web:${encodeURIComponent(new URL(origin).host)}`
      const credentialStatus = createStatusEntry({ statusListUrl: `${origin}/list`, index: 7 })
      return [
        ['The status list is at another address.', { vc: { credentialStatus } }],
        ['kid is a did:web of another address.', { header: { kid: `${did}#key-1` } }],
      ]
    }),
})
