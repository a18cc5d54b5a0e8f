import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectAccepted } from '../expect-verdict.ts'

const what = 'vc.issuer is an object.'

export const check = defineVerifierCheck({
  id: 'V61',
  title: 'A credential whose issuer is an object is accepted',
  level: 'final',
  expectation: 'accept',
  control: 'presentation',
  clauses: ['W3C VC Data Model 2.0, 4.7'],
  description:
    'issuer is a URL or an object with it as its id; issuers that show a name use the second form.',
  sends: 'A credential whose vc.issuer is an object with id and name.',
  decides: 'It has to be accepted.',
  run: (context) =>
    expectAccepted(context, [
      {
        what,
        defect: {
          name: 'issuer-as-object',
          description: what,
          change: ({ issuer }) => ({ vc: { issuer: { id: issuer.did, name: 'The issuer' } } }),
        },
      },
    ]),
})
