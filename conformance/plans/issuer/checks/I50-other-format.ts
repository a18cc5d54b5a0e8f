import { defineCheck } from '../../../kit/define-check.ts'
import { expectDeviationsRefused } from '../flow/expect-deviation-refused.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I50',
  title: 'Another format than jwt_vc_json is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9',
    '1.resources-and-their-fields/issuer-metadata.3',
  ],
  description: 'A wallet that asks for a format gets that format, or is told that there is none.',
  sends: 'The credential request with the format ldp_vc.',
  decides:
    'The credential endpoint answers with a 4xx and no credential, while the same wallet without the deviation gets one.',
  run: (context) =>
    expectDeviationsRefused(context, {
      'credential-other-format': {
        errors: [
          'unsupported_credential_format',
          'unsupported_credential_type',
          'invalid_credential_request',
          'invalid_request',
        ],
      },
    }),
})
