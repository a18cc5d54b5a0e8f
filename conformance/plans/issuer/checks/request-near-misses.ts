import { createRequestBody } from '#scenarios/fixtures/wallet-endpoints.ts'
import { type CheckTexts, defineChecks } from '../../../kit/check.ts'
import { convertibleTypes, similarTexts, valuesOf } from '../../../kit/near-misses.ts'
import type { IssuerContext } from '../context.ts'
import { findRequestsRefused, type Session, type WrongRequest } from '../proofs.ts'

type Body = ReturnType<typeof createRequestBody>

/** A change of the documented body. */
interface WrongBody extends Pick<WrongRequest, 'level'> {
  /** To follow `The credential request with`. */
  readonly what: string
  readonly change: (body: Body) => unknown
}

interface WrongBodiesRow extends CheckTexts {
  readonly sends: string
  readonly bodies: readonly WrongBody[]
}

const requestRow = '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9'

/** Similar values and other types of a member of the body. */
const similarMembers = (name: 'format' | 'proof_type', right: string): readonly WrongBody[] =>
  valuesOf(
    [...similarTexts, ...convertibleTypes, { what: 'is missing', change: () => undefined }],
    right,
  ).map(({ what, value, isLenient }) => ({
    what: `a ${name} that ${what}`,
    ...(isLenient && { level: 'practice' }),
    change: (body) =>
      name === 'format'
        ? { ...body, format: value }
        : { ...body, proof: { ...body.proof, proof_type: value } },
  }))

export const checks = defineChecks<IssuerContext, WrongBodiesRow>(
  {
    'I136-similar-format': {
      title: 'A format or proof type that only resembles the documented one is rejected',
      level: 'spec',
      rows: [requestRow],
      clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
      description:
        'An issuer that searches for a part of the name serves requests for other formats with this one.',
      sends:
        'Credential requests whose format or proof_type is similar to the documented value, missing or of another type.',
      fix: 'Compare format with jwt_vc_json and proof_type with jwt as complete strings. Return 400 unsupported_credential_format or invalid_proof.',
      bodies: [
        ...similarMembers('format', 'jwt_vc_json'),
        ...['jwt_vc', 'jwt_vc_json-ld', 'ldp_vc', 'mso_mdoc', 'dc+sd-jwt'].map((format) => ({
          what: `the format ${format}`,
          change: (body: Body) => ({ ...body, format }),
        })),
        ...similarMembers('proof_type', 'jwt'),
      ],
    },
    'I137-malformed-types': {
      title: 'Types that are not a list of strings with VerifiableCredential are rejected',
      level: 'spec',
      rows: [requestRow],
      clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
      description:
        'If a string or a nested list passes the check, a different type may be issued than was checked.',
      sends:
        'Credential requests whose types are missing, a string, an object, empty, nested, in a different case, with spaces, without VerifiableCredential, or contain another type or a number.',
      fix: 'Require types to be an array of strings that contains VerifiableCredential and names one offered credential. Return 400 invalid_credential_request or unsupported_credential_type.',
      bodies: [
        ...valuesOf(convertibleTypes, 'VerifiableCredential')
          .filter(({ value }) => !Array.isArray(value))
          .map(({ what, value }) => ({
            what: `a value in types that ${what}`,
            change: (body: Body) => ({ ...body, types: value }),
          })),
        { what: 'no types', change: (body) => ({ ...body, types: undefined }) },
        { what: 'an empty list as types', change: (body) => ({ ...body, types: [] }) },
        { what: 'types in a string', change: (body) => ({ ...body, types: body.types.join(' ') }) },
        {
          what: 'types in an object',
          change: (body) => ({ ...body, types: { ...body.types } }),
        },
        { what: 'nested types', change: (body) => ({ ...body, types: [body.types] }) },
        {
          what: 'a number among the types',
          change: (body) => ({ ...body, types: [...body.types, 7] }),
        },
        {
          what: 'types in lower case',
          change: (body) => ({ ...body, types: body.types.map((type) => type.toLowerCase()) }),
        },
        {
          what: 'a space at the end of each type',
          level: 'practice',
          change: (body) => ({ ...body, types: body.types.map((type) => `${type} `) }),
        },
        {
          what: 'an unknown type among the types',
          level: 'practice',
          change: (body) => ({ ...body, types: [...body.types, 'UnheardOfCredential'] }),
        },
        {
          what: 'only VerifiableCredential',
          level: 'practice',
          change: (body) => ({ ...body, types: ['VerifiableCredential'] }),
        },
      ],
    },
    'I138-malformed-proofs': {
      title: 'A proof without a JWT in a string is rejected',
      level: 'spec',
      rows: [requestRow, '1.authentication.7'],
      clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
      description:
        'A value of another type must not turn into a missing proof, which the issuer then does not verify.',
      sends:
        'Credential requests whose jwt is null, empty, a number, in a list or an object, whose proof is empty, and with proofs instead of proof.',
      fix: 'Require proof.jwt to be a non-empty string before you verify it. Return 400 invalid_proof.',
      bodies: [
        ...['null', 'empty', 'list', 'object', 'number', 'true'].map((type) => ({
          what: `jwt: ${type}`,
          change: ({ proof, ...body }: Body) => {
            const { jwt } = proof
            const values = {
              null: null,
              empty: '',
              list: [jwt],
              object: { jwt },
              number: 7,
              true: true,
            }
            return { ...body, proof: { ...proof, jwt: values[type as keyof typeof values] } }
          },
        })),
        { what: 'an empty proof', change: (body) => ({ ...body, proof: {} }) },
        { what: 'false as proof', change: (body) => ({ ...body, proof: false }) },
        { what: 'an empty string as proof', change: (body) => ({ ...body, proof: '' }) },
        {
          what: 'an empty list of proofs instead of a proof',
          change: ({ proof: _, ...body }) => ({ ...body, proofs: { jwt: [] } }),
        },
      ],
    },
  },
  ({ bodies, sends, ...texts }) => ({
    ...texts,
    expectation: 'refuse',
    control: 'offer',
    sends,
    decides:
      'The credential endpoint responds to each with a 4xx and no credential, while the documented request gets one.',
    run: (context) =>
      findRequestsRefused(
        context,
        bodies.map(({ what, change, ...wrong }) => ({
          ...wrong,
          what: `The credential request with ${what}`,
          bodyOf: (session: Session) => change(createRequestBody(session.wallet, session)),
        })),
      ),
  }),
)
