import { type CheckRow, defineChecks } from '../../../kit/check.ts'
import { closestMisses } from '../../../kit/near-misses.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import { publishStatusList } from '../../../world/publish-status-list.ts'
import type { WalletContext } from '../context.ts'
import type { IssuerBehaviour, ReplaceAnswer } from '../counterparts/issuer-session.ts'
import { findNoneKept, type WrongDelivery } from '../findings/issuance-findings.ts'

/** Answers of an issuer that do not deliver a credential as documented. */
interface WrongAnswers
  extends Pick<CheckRow<WalletContext>, 'title' | 'description' | 'sends' | 'fix'> {
  readonly deliveries: (context: WalletContext) => readonly WrongDelivery[]
}

export const checks = defineChecks<WalletContext, WrongAnswers>(
  {
    'W129-credential-response-unusable': {
      title: 'A credential in an invalid response is not kept',
      description:
        'A wallet that searches any response for something like a credential keeps what the issuer did not deliver.',
      sends:
        'Responses of the credential endpoint whose format or credential is missing, slightly different or of another type, and valid bodies with the status 400 and 403.',
      fix: 'Continue only if the credential endpoint returns 200 with a JSON object, jwt_vc_json in format and a non-empty string in credential. Otherwise show an error and store nothing.',
      deliveries: () =>
        unusable.map(([wrong, change]) => ({ wrong, behaviour: change('credential') })),
    },
    'W130-deferred-response-unusable': {
      title: 'A deferred credential in an invalid response is not kept',
      description:
        'The deferred endpoint returns the same body as the credential endpoint. A wallet that reads it less strictly keeps what the issuer did not deliver.',
      sends:
        'A credential endpoint that defers, then responses to the poll whose format or credential is missing, slightly different or of another type, and valid bodies with the status 400 and 403.',
      fix: 'Validate the response of the deferred endpoint like that of the credential endpoint. If it is neither valid nor pending, show an error and store nothing.',
      deliveries: () =>
        unusable.map(([wrong, change]) => ({
          wrong,
          behaviour: { ...change('deferred'), deferredPolls: 0 },
        })),
    },
    'W131-foreign-status-list': {
      title: 'A status list outside of the issuer is not trusted',
      description:
        'The credential names the address of its list. A wallet that requests any address can be led into private networks, and reveals to other parties who holds what.',
      sends:
        'Credentials whose statusListCredential is a valid list at another path of the host, or almost below the issuer, and lists that are missing, of an unknown type or of another issuer.',
      fix: 'Request a status list only below credential_issuer, without query, fragment and dot segments. Otherwise discard the credential.',
      deliveries: ({ trust: { world } }) =>
        Object.entries(foreignLists).map(([wrong, addressOf]) => ({
          wrong,
          behaviour: {
            credential: ({ holderDid, now, credentialIssuer }) => {
              const url = addressOf(credentialIssuer)
              const credentialStatus = publishStatusList(world, { url })
              const change = () => ({ vc: { credentialStatus } })
              const defect = { name: 'status', description: wrong, change }
              return issueCredential(world, { holderDid, now, defect })
            },
          },
        })),
    },
  },
  ({ deliveries, ...texts }) => ({
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    decides: 'The wallet must not report success, and must not list the credential.',
    timeLimitMilliseconds: 120_000,
    ...texts,
    run: (context) => findNoneKept(context, deliveries(context), { orFails: true }),
  }),
)

type Endpoint = 'credential' | 'deferred'

const answering =
  (replace: ReplaceAnswer) =>
  (endpoint: Endpoint): IssuerBehaviour => ({ answers: { [endpoint]: replace } })

const unusable: readonly (readonly [
  wrong: string,
  behaviour: (endpoint: Endpoint) => IssuerBehaviour,
])[] = [
  ...[undefined, '', ['jwt_vc_json']].map(
    (format) =>
      [
        `whose format is ${JSON.stringify(format) ?? 'missing'}`,
        () => ({ issued: { format } }),
      ] as const,
  ),
  ...closestMisses.map(
    ({ what, change }) =>
      [`whose format ${what}`, () => ({ issued: { format: change('jwt_vc_json') } })] as const,
  ),
  ...[undefined, '', {}].map(
    (credential) =>
      [
        `that is ${JSON.stringify(credential) ?? 'missing'} in the response`,
        () => ({ issued: { credential } }),
      ] as const,
  ),
  ...[400, 403].map(
    (status) =>
      [
        `in a response with the status ${status}`,
        answering((usual) => ({ ...usual, status })),
      ] as const,
  ),
  ['in a list', answering((usual) => ({ ...usual, body: `[${usual.body}]` }))],
  [
    'in an HTML page',
    answering((usual) => ({
      status: 200,
      contentType: 'text/html',
      body: `<pre>${usual.body}</pre>`,
    })),
  ],
  [
    'after which the response is cut',
    answering((usual) => ({ ...usual, body: usual.body?.slice(0, -1) ?? '' })),
  ],
]

const foreignLists: Readonly<Record<string, (issuer: string) => string>> = {
  'whose status list is at another path of the host': (issuer) =>
    `${new URL(issuer).origin}/lists/1`,
  'whose status list is at an address that begins like the issuer': (issuer) =>
    `${issuer}2/lists/1`,
  'whose status list has a query': (issuer) => `${issuer}/status-lists/1?x=1`,
  'whose status list has a fragment': (issuer) => `${issuer}/status-lists/1#x`,
  'whose status list has dot segments': (issuer) => `${issuer}/x/../status-lists/1`,
  // Its resolved form is the beginning of this address.
  'whose status list has dot segments at its end': (issuer) => `${issuer}/status-lists/1/x/..`,
}
