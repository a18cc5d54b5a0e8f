import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectTrapUnvisited } from '../expect-trap-unvisited.ts'

const termsOfUse = (id: string) => ({
  vc: { termsOfUse: { id, type: 'TrustedIssuersRegistryEntry' } },
})

export const check = defineVerifierCheck({
  id: 'V46',
  title: 'A credential does not send the verifier to an address of its own choice',
  level: 'practice',
  expectation: 'refuse',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-29', 'CWE-918, Server-Side Request Forgery'],
  description:
    'termsOfUse.id is an address that whoever made the credential wrote: a verifier that fetches it reaches inner services for a stranger.',
  sends:
    'Credentials whose termsOfUse.id is on another port of this machine, plainly and with the TIR as a user name before it.',
  decides: 'None may be accepted, and nothing may be asked for at that address.',
  run: (context) =>
    expectTrapUnvisited(context, ({ origin }, { tirBaseUrl }) => {
      const { host } = new URL(origin)
      return [
        ['termsOfUse.id is another address.', termsOfUse(`${origin}/latest/meta-data`)],
        [
          'termsOfUse.id is another address, with the TIR as its user name.',
          termsOfUse(`http://${new URL(tirBaseUrl).hostname}@${host}/latest/meta-data`),
        ],
      ]
    }),
})
