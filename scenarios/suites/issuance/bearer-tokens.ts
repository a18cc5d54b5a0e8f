import { generateKeyPairSync, sign } from 'node:crypto'
import { encodeJson } from '#core/crypto/base64url.ts'
import { type FoundedOrganization, foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { createUuidUrn } from '#scenarios/fixtures/own-dids.ts'
import {
  askIssuer,
  type BearerEndpoint,
  documentedMessages,
  expectIssuerRefusal,
  listRecords,
} from '#scenarios/fixtures/portal.ts'
import { readQr } from '#scenarios/fixtures/qr-images.ts'
import { fetchCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { cite, defineScenario, oneAlgorithm } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectStatus,
} from '#scenarios/harness/expectations.ts'

let unknownKey: ReturnType<typeof generateKeyPairSync> | undefined

/** The same token, header and claims unchanged, signed with an RSA key that is not published. */
function signAsStranger(token: string): string {
  unknownKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [header, payload] = token.split('.')
  const signature = sign('sha256', Buffer.from(`${header}.${payload}`), unknownKey.privateKey)
  return `${header}.${payload}.${signature.toString('base64url')}`
}

type MakeToken = (organization: FoundedOrganization) => Promise<string> | string | undefined

/** Decodes a part of a token, changes it and encodes it again; the signature stays. */
function change(token: string, part: 0 | 1, members: object): string {
  const parts = token.split('.')
  const decoded = JSON.parse(Buffer.from(parts[part] ?? '', 'base64url').toString())
  return parts.with(part, encodeJson({ ...decoded, ...members })).join('.')
}

const cases: readonly { name: string; title: string; why: string; make: MakeToken }[] = [
  {
    name: 'none',
    title: 'A missing token',
    why: 'The request has no Authorization header.',
    make: () => undefined,
  },
  {
    name: 'expired',
    title: 'An expired token',
    why: 'The portal cached it for too long: it expired a minute ago.',
    make: ({ createBearerToken }) => createBearerToken({ expiresIn: -60 }),
  },
  {
    name: 'foreign-key',
    title: 'A token with an unknown signature key',
    why: 'It has the right claims and even the right `kid`, but another key signed it, so it does not verify with the published key set.',
    make: ({ bearerToken }) => signAsStranger(bearerToken),
  },
  {
    name: 'changed-claims',
    title: 'A token with a changed organization',
    why: 'Its payload was changed after it was signed.',
    make: ({ bearerToken }) =>
      change(bearerToken, 1, { organization_identifier: 'VATES-A12345678' }),
  },
  {
    name: 'unsigned',
    title: 'A token without a signature',
    why: 'Its header says `alg: none`, and it has no signature.',
    make: ({ bearerToken }) => change(bearerToken, 0, { alg: 'none' }).replace(/\.[^.]*$/, '.'),
  },
  {
    name: 'other-issuer',
    title: 'A token of another issuer',
    why: 'The right key signed it, but `iss` is another token issuer.',
    make: ({ createBearerToken }) =>
      createBearerToken({ claims: { iss: 'https://tokens.elsewhere.example' } }),
  },
  {
    name: 'other-audience',
    title: 'A token for another service',
    why: 'The right key signed it, but `aud` is another service.',
    make: ({ createBearerToken }) =>
      createBearerToken({ claims: { aud: 'https://elsewhere.example' } }),
  },
  {
    name: 'garbage',
    title: 'A token that is not a JWT',
    why: 'It is not a JWT.',
    make: () => 'Z2FyYmFnZQ.e30',
  },
]

const refusedBearer = cases.map(({ name, title, why, make }, index) =>
  defineScenario({
    id: `issuance/refused-bearer-${name}`,
    title: `${title} is rejected at every endpoint of the issuer`,
    algorithms: oneAlgorithm(index),
    description: `
${why} Every Bearer endpoint under \`/issuance\` returns **401** with exactly the documented body,
regardless of the request and of other errors in it: a client without a valid token gets no other
information. Nothing is issued, and nothing is revoked.`,
    references: cite('Profile: 1.authentication.1', 'Profile: 1.errors.1', 'Assumptions: A-46'),

    async run(context) {
      const { step, uniqueName } = context
      const organization = await step('A representative of an organization', foundOrganization)
      const { power, organizationIdentifier } = organization
      const bearerToken = await step(`Their portal has only this token: ${why}`, () =>
        make(organization),
      )
      const requests: readonly (readonly [BearerEndpoint, unknown])[] = [
        ['representative', { power }],
        ['employee', { email: `nobody.${uniqueName}@example.org`, power }],
        ['identifiers', { subject_id: uniqueName }],
        ['credential', { organization_identifiers: [organizationIdentifier] }],
        ['credential/revoke', { credential_id: createUuidUrn(context) }],
      ]
      for (const [endpoint, json] of requests) {
        await step(`POST /issuance/${endpoint}: 401`, async () => {
          const answer = await askIssuer(context, endpoint, bearerToken, json)
          const expected = { error: 'Unauthorized', detail: 'invalid token' }
          expectEqual('the body', expectJson(answer, 401), expected)
          expectMatch('www-authenticate', answer.headers.get('www-authenticate'), /^Bearer\b/)
        })
      }
      await step('The issuer has no record', async () => {
        expectEqual('the records', await listRecords(context, organization), [])
      })
    },
  }),
)

/** profile/issuer, Authentication. */
const requiredClaims = ['organization_identifier', 'organization', 'user_identifier', 'email']

const missingClaim = requiredClaims.map((claim, index) =>
  defineScenario({
    id: `issuance/missing-claim-${claim.replaceAll('_', '-')}`,
    title: `A request with a Bearer token without ${claim} is rejected`,
    algorithms: oneAlgorithm(index),
    description: `
The token issuer has no mapper for \`${claim}\`, or one with a typo. This is the most common
mistake of a deployment. The token is valid, so the response is not a 401. A claim for the credential is
missing, so both issuance endpoints answer **400** with the documented message. An empty value and a
value that is not a string count as missing.`,
    references: cite(
      'Profile: 1.resources-and-their-fields/token-claims-required-by-the-issuer.1',
      'Profile: 1.errors.2',
      'Assumptions: A-25',
    ),

    async run(context) {
      const { step, uniqueName } = context
      const organization = await step('A representative of an organization', foundOrganization)
      const { power } = organization
      const refuse = async (bearerToken: string) => {
        for (const [endpoint, json] of [
          ['representative', { power }],
          ['employee', { email: `nobody.${uniqueName}@example.org`, power }],
        ] as const) {
          const answer = await askIssuer(context, endpoint, bearerToken, json)
          expectIssuerRefusal(answer, 400, documentedMessages.missingData)
        }
      }

      await step(`Their token lacks ${claim}: 400 at both endpoints`, async () => {
        await refuse(await organization.createBearerToken({ omit: [claim] }))
      })
      await step('The claim is empty or not a string: 400 as well', async () => {
        for (const value of ['', '   ', 7, null]) {
          await refuse(await organization.createBearerToken({ claims: { [claim]: value } }))
        }
      })
      await step('The issuer has no record', async () => {
        expectEqual('the records', await listRecords(context, organization), [])
      })
    },
  }),
)

const ownPersonOnly = defineScenario({
  id: 'issuance/own-person-only',
  title: 'A representative gets a personal credential even if the request names another person',
  algorithms: ['ES256K'],
  description: `
\`POST /issuance/representative\` issues for the **authenticated representative**. If a portal also sends
an address, an employee number or another organization, the result is the same: the subject of the
credential and the organization come only from the Bearer token.`,
  references: cite(
    'Profile: 1.endpoints/credential-issuer.4, 1.endpoints/credential-issuer.13',
    'Profile: 1.resources-and-their-fields/token-claims-required-by-the-issuer.1',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', foundOrganization)
    const { power, bearerToken, representative, organizationIdentifier } = organization
    const png = await step('The portal names another person in the request', async () => {
      const json = {
        power,
        email: 'somebody.else@example.org',
        employeeId: 'E-1',
        user_identifier: 'ES-00000000T',
        organization_identifier: 'VATES-A12345678',
        mandatee: { email: 'somebody.else@example.org' },
      }
      const answer = await askIssuer(context, 'representative', bearerToken, json)
      expectMatch('the type', expectStatus(answer, 200).contentType, /^image\/png\b/)
      const signature = Buffer.from(answer.bytes.subarray(0, 8)).toString('hex')
      expectEqual('the first bytes of a PNG', signature, '89504e470d0a1a0a')
      return answer.bytes
    })
    await step('The credential is about the representative of the token', async () => {
      const link = readQr(context, 'QR code of the offer', png)
      const { vc } = await fetchCredential(context, wallet, link)
      const { mandator, mandatee } = vc.credentialSubject.mandate
      expectIncludes('the mandatee', mandatee, {
        email: representative.email,
        employeeId: representative.userIdentifier,
      })
      expectEqual('the organization', mandator.organizationIdentifier, organizationIdentifier)
    })
  },
})

export const scenarios = [...refusedBearer, ...missingClaim, ownPersonOnly]
