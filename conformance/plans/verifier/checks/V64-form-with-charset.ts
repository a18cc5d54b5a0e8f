import { setHeaders } from '#wallet-emulator/faults/change-call.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectAccepted } from '../expect-verdict.ts'
import { withChange } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V64',
  title: 'A form whose content type names its charset is accepted',
  level: 'practice',
  expectation: 'accept',
  control: 'presentation',
  description:
    'Many HTTP libraries add the charset to the content type of a form by themselves; it stays a form.',
  sends: 'A good presentation, posted as application/x-www-form-urlencoded; charset=UTF-8.',
  decides: 'It has to be accepted.',
  run: (context) =>
    expectAccepted(context, [
      withChange('The content type of the form names a charset.', {
        presentationCall: setHeaders({
          'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        }),
      }),
    ]),
})
