import { validVariants } from '../../../world/defects/chain-defects.ts'
import { validLists } from '../../../world/defects/list-defects.ts'
import { addKey } from '../../../world/key-uses.ts'
import { publishStatusList } from '../../../world/publish-status-list.ts'
import { registerChain } from '../../../world/register-chain.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import { acceptances, withStatus } from '../presentation-checks.ts'

/** Accreditations and status lists that differ from the usual ones. A verifier must accept them. */
export const checks = acceptances({
  'V125-other-accreditations': {
    title: 'Each valid form of an accreditation is accepted',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-17', 'docs/assumptions.md, A-18'],
    description:
      'TAOs use different software: some leave out optional claims, and some accredit for several types. A verifier that knows only one form rejects all credentials of some issuers.',
    sends: `Credentials of new issuers. Their accreditation, or that of the TAO above, ${validVariants.map(({ what }) => what).join(', ')}.`,
    fix: 'Require in attribute.body only iss, a subject with id, reservedAttributeId and accreditedFor, and an end: exp or validUntil. Search all entries of accreditedFor. Ignore other members.',
    presentations: ({ trust: { world } }) => [
      ...validVariants.map((variant) => ({
        what: `The accreditation of the issuer ${variant.what}.`,
        issuer: registerChain(world, 'issuer', variant),
      })),
      ...validVariants.slice(0, 2).map((variant) => ({
        what: `The accreditation of the TAO ${variant.what}.`,
        issuer: registerChain(world, 'TAO', variant),
      })),
    ],
  },
  'V126-other-status-lists': {
    title: 'Each valid form of a status list is accepted',
    level: 'practice',
    clauses: ['Bitstring Status List 1.0, 3.2', 'docs/assumptions.md, A-23'],
    description:
      'Issuers use different software for their lists. A verifier that requires optional members, or reads only lists of one length, locks out all holders of some issuers.',
    sends: `Credentials whose bit is not set. ${Object.keys(validLists).join(' ')} The list is signed with ES256.`,
    fix: 'Require in a status list only iss, its id, its type, and a subject with type, statusPurpose and encodedList. Compare the times that it has. Read as many entries as it contains.',
    presentations: ({ trust: { world } }) => {
      const issuer = registerIssuer(world)
      return [
        ...Object.entries(validLists).map(([what, options]) =>
          withStatus(what, publishStatusList(world, options)),
        ),
        {
          ...withStatus(
            'The list is signed with ES256.',
            publishStatusList(world, {
              issuer,
              signer: () => addKey(world, issuer, { curve: 'P-256' }),
              header: { alg: 'ES256' },
            }),
          ),
          issuer,
        },
      ]
    },
  },
})
