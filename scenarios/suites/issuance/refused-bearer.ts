import { generateKeyPairSync, sign } from 'node:crypto'
import { type FoundedOrganization, foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { createUuidUrn } from '#scenarios/fixtures/own-dids.ts'
import { askIssuer, type BearerEndpoint, listRecords } from '#scenarios/fixtures/portal.ts'
import { defineScenario, oneAlgorithm } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson, expectMatch } from '#scenarios/harness/expectations.ts'

let strangersKey: ReturnType<typeof generateKeyPairSync> | undefined

/** The same token, header and claims untouched, signed with an RSA key that nobody published. */
function signAsStranger(token: string): string {
  strangersKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [header, payload] = token.split('.')
  const signature = sign('sha256', Buffer.from(`${header}.${payload}`), strangersKey.privateKey)
  return `${header}.${payload}.${signature.toString('base64url')}`
}

type MakeToken = (organization: FoundedOrganization) => Promise<string> | string | undefined

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Another part of a token, decoded, changed and encoded again; the signature stays. */
function change(token: string, part: 0 | 1, members: object): string {
  const parts = token.split('.')
  const decoded = JSON.parse(Buffer.from(parts[part] ?? '', 'base64url').toString())
  return parts.with(part, encode({ ...decoded, ...members })).join('.')
}

const cases: readonly { name: string; title: string; why: string; make: MakeToken }[] = [
  {
    name: 'none',
    title: 'No token',
    why: 'No Authorization header was sent at all.',
    make: () => undefined,
  },
  {
    name: 'expired',
    title: 'An expired token',
    why: 'The portal kept it over lunch: it expired a minute ago.',
    make: ({ createBearerToken }) => createBearerToken({ expiresIn: -60 }),
  },
  {
    name: 'foreign-key',
    title: 'A token signed by somebody else',
    why: 'It has the right claims and even the right `kid`, but not the right key: it verifies against a mismatched key set.',
    make: ({ bearerToken }) => signAsStranger(bearerToken),
  },
  {
    name: 'changed-claims',
    title: 'A token with another organization written into it',
    why: 'Its payload was changed after it was signed.',
    make: ({ bearerToken }) =>
      change(bearerToken, 1, { organization_identifier: 'VATES-A12345678' }),
  },
  {
    name: 'unsigned',
    title: 'A token without a signature',
    why: 'Its header says `alg: none`, and there is no signature.',
    make: ({ bearerToken }) => change(bearerToken, 0, { alg: 'none' }).replace(/\.[^.]*$/, '.'),
  },
  {
    name: 'other-issuer',
    title: 'A token of another issuer',
    why: 'It is signed with the right key, but `iss` is another token issuer.',
    make: ({ createBearerToken }) =>
      createBearerToken({ claims: { iss: 'https://tokens.elsewhere.example' } }),
  },
  {
    name: 'other-audience',
    title: 'A token for another service',
    why: 'It is signed with the right key, but `aud` is another service.',
    make: ({ createBearerToken }) =>
      createBearerToken({ claims: { aud: 'https://elsewhere.example' } }),
  },
  {
    name: 'garbage',
    title: 'Something that is no token',
    why: 'It is no JWT at all.',
    make: () => 'Z2FyYmFnZQ.e30',
  },
]

export const scenarios = cases.map(({ name, title, why, make }, index) =>
  defineScenario({
    id: `issuance/refused-bearer-${name}`,
    title: `${title} opens none of the issuer's doors`,
    category: 'Issuance',
    algorithms: oneAlgorithm(index),
    description: `
${why} Every Bearer endpoint under \`/issuance\` answers **401** with exactly the documented body,
whatever was asked for and however wrong the rest is: who sends no good token learns nothing. Nothing
was issued, and nothing revoked.`,
    references: [
      { document: 'Document 1', section: 'Authentication, row 1' },
      { document: 'Document 1', section: 'Errors, row 1' },
      { document: 'Assumptions', section: 'A-46' },
    ],

    async run(context) {
      const { step, uniqueName } = context
      const organization = await step('A representative of an organization', () =>
        foundOrganization(context),
      )
      const { power, organizationIdentifier } = organization
      const bearerToken = await step(`Their portal has no better than this: ${why}`, () =>
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
