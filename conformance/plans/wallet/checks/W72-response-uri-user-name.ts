import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W72',
  title: 'A name before the @ of response_uri is not taken for its host',
  level: 'practice',
  expectation: 'refuse',
  control: 'requests',
  description:
    'In https://verifier.example@evil.example the host is evil.example; whoever compares beginnings is deceived.',
  sends:
    'An unsigned request in the link whose client_id is https://verifier.example and whose response_uri is https://verifier.example@ and the host of the kit.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      behaviour: {
        parameters: (verifier) => ({
          response_uri: `${verifier.replace('://', '://verifier.example@')}/response`,
        }),
      },
      why: 'the name of the verifier only stands before the @ of response_uri',
      link: (session) =>
        session.requestByValue(`${new URL(session.baseUrl).protocol}//verifier.example`),
    }),
})
