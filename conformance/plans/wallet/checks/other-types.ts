import { randomBytes, randomUUID } from 'node:crypto'
import { broken, defineChecks, type Finding, held } from '../../../kit/check.ts'
import type { Party, TrustWorld } from '../../../world/create-trust-world.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import type { WalletContext } from '../context.ts'
import type { IssuerBehaviour } from '../counterparts/issuer-session.ts'
import { membersIn } from '../counterparts/read-proof.ts'
import { findEachKept, findNoneKept } from '../findings/issuance-findings.ts'

const vc = 'VerifiableCredential'
const lear = 'LEARCredential'

/** What an issuer offers, and the types of the credential that it delivers. */
interface TypedOffer {
  readonly id: string
  /** The types in the metadata. */
  readonly announced: readonly string[]
  /** By default those that are announced. */
  readonly delivered?: readonly string[]
}

/** Credentials of types that the profile does not define. */
export const checks = defineChecks<WalletContext>({
  'W150-other-credential-types': {
    title: 'A credential of another type is kept if it was offered',
    level: 'practice',
    expectation: 'advice',
    control: 'offers',
    description:
      'Ecosystems add credential types. The metadata lists the types of each, so that a wallet needs no separate list.',
    sends:
      'Offers of an issuer that is accredited for types below LEARCredential and VerifiableCredential. The id in the metadata is the type or another name, and the order of its types differs. Then an offer of two of these types.',
    decides:
      'The kit must deliver each credential, and the wallet must report it. The credential requests for the two types must not all name the same one.',
    fix: 'Take the expected types from the offered entry of credentials_supported, in any order. Do not compare them with a fixed list.',
    timeLimitMilliseconds: 120_000,
    async run(context) {
      const issuer = registerFor(
        context.trust.world,
        Object.values(validOffers).flatMap(({ announced }) =>
          announced.filter((type) => type !== vc),
        ),
      )
      const kept = await findEachKept(
        context,
        Object.entries(validOffers).map(([what, offer]) => ({
          what,
          behaviour: behaviourOf(context, issuer, offer),
        })),
      )
      return kept.kind === 'held' ? findEachNamed(context, issuer) : kept
    },
  },
  'W151-other-types-verified': {
    title:
      'A credential without the types of its offer is not kept, regardless of what was offered',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description:
      'The holder agreed to one credential and would receive another, or a credential that no verifier accepts.',
    sends:
      'Offers of a type below LEARCredential whose credential lacks a type, has a different type, has one more, or is of an issuer that is not accredited for it.',
    decides: 'The wallet must report a rejection of each credential, and must not list any.',
    fix: 'Compare vc.type with types of the offered entry in credentials_supported: require each of them and no other. Require the own type in accreditedFor. Discard the credential otherwise.',
    timeLimitMilliseconds: 120_000,
    run(context) {
      const { world } = context.trust
      const issuer = registerFor(world, ['OtherLearCredential', 'OrgPortalLearCredential'])
      return findNoneKept(context, [
        ...Object.entries(wrongTypes).map(([wrong, delivered]) => ({
          wrong,
          behaviour: behaviourOf(context, issuer, { ...other, delivered }),
        })),
        {
          wrong: 'of an issuer that is not accredited for its type',
          behaviour: behaviourOf(context, world.issuer, other),
        },
      ])
    },
  },
})

/** The issuer delivers what the request names, so only the requests can show a mistake. */
async function findEachNamed(context: WalletContext, issuer: Party): Promise<Finding> {
  const ids = ['OtherLearCredential', 'OrgPortalLearCredential2']
  const requested = () =>
    session.requestsTo('credential').map(({ body }) => membersIn(body)?.types) as string[][]
  const session = context.openIssuer({
    offer: { credentials: ids },
    metadata: {
      credentials_supported: ids.map((id) => ({ id, format: 'jwt_vc_json', types: [vc, id] })),
    },
    credential: ({ holderDid, now }) => {
      const change = () => ({ vc: { type: requested().at(-1) ?? [] } })
      const defect = { name: 'as requested', description: 'as requested', change }
      return issueCredential(context.trust.world, { holderDid, now, issuer, defect })
    },
  })
  await context.wallet.acceptOffer({ link: session.offerByValue() })
  const own = requested().flatMap((types) => ids.filter((id) => types?.includes(id)))
  const verdictSource = 'credential requests'
  // A request may be repeated, for example with a new nonce.
  const named = [...new Set(own)]
  return named.length === 1 && own.length > 1
    ? broken('All credential requests named the same type, although two were offered.', {
        verdictSource,
        expected: ids,
        actual: own,
      })
    : held(`The credential requests named ${named.join(' and ') || 'no type'}.`, { verdictSource })
}

const other: TypedOffer = {
  id: 'OtherLearCredential',
  announced: [vc, lear, 'OtherLearCredential'],
}

const validOffers: Readonly<Record<string, TypedOffer>> = {
  'of another type below LEARCredential': other,
  'whose type begins like that of the profile': {
    id: 'OrgPortalLearCredential2',
    announced: [vc, 'OrgPortalLearCredential2'],
  },
  'whose type differs from that of the profile only in case': {
    id: 'orgPortalLearCredential',
    announced: [vc, 'orgPortalLearCredential'],
  },
  'whose types are listed in a different order in the metadata': {
    ...other,
    announced: other.announced.toReversed(),
    delivered: other.announced,
  },
  'whose own type is listed between those above it': {
    ...other,
    announced: [vc, 'OtherLearCredential', lear],
    delivered: other.announced,
  },
  'directly below VerifiableCredential, whose id is not its type': {
    id: 'badge-1',
    announced: [vc, 'BadgeCredential'],
  },
  'whose own type is listed first, and whose id is not its type': {
    id: 'badge-1',
    announced: ['BadgeCredential', vc],
    delivered: [vc, 'BadgeCredential'],
  },
  'whose own type begins like VerifiableCredential': {
    id: 'badge-2',
    announced: ['VerifiableCredentialOfBadge', vc],
    delivered: [vc, 'VerifiableCredentialOfBadge'],
  },
  'whose own type differs from VerifiableCredential only in case': {
    id: 'badge-3',
    announced: ['verifiableCredential', vc],
    delivered: [vc, 'verifiableCredential'],
  },
}

const wrongTypes: Readonly<Record<string, readonly string[]>> = {
  'of the type of the profile instead of the offered one': [vc, lear, 'OrgPortalLearCredential'],
  'without LEARCredential, which the metadata lists': [vc, 'OtherLearCredential'],
  'without VerifiableCredential': [lear, 'OtherLearCredential'],
  'without its own type': [vc, lear],
  'with one more type': [...other.announced, 'OrgPortalLearCredential'],
}

/** Registers an issuer whose chain up to the root is accredited for these types. */
function registerFor(world: TrustWorld, types: string[]): Party {
  const root = { ...world.root, attributeId: randomBytes(32).toString('hex') }
  const tao = world.createParty(`tao ${randomUUID()}`)
  const issuer = world.createParty(`issuer ${randomUUID()}`)
  const publish = (subject: Party, parent: Party, role: 'RTAO' | 'TAO' | 'TI') =>
    world.publish(
      subject,
      parent,
      role,
      world.sign(world.accreditationOf(subject, parent, types), parent),
    )
  publish(root, root, 'RTAO')
  publish(tao, root, 'TAO')
  publish(issuer, tao, 'TI')
  return issuer
}

const behaviourOf = (
  { trust: { world } }: WalletContext,
  issuer: Party,
  { id, announced, delivered = announced }: TypedOffer,
): IssuerBehaviour => ({
  offer: { credentials: [id] },
  entry: { id, types: announced },
  credential: ({ holderDid, now }) =>
    issueCredential(world, {
      holderDid,
      now,
      issuer,
      defect: {
        name: 'other-type',
        description: delivered.join(', '),
        change: () => ({ vc: { type: delivered } }),
      },
    }),
})
