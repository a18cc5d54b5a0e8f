import { defineChecks, held } from '../../../kit/check.ts'
import { findEach } from '../../../kit/find-each.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import { publishStatusList } from '../../../world/publish-status-list.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import { findDocumentsAcceptable, lookupFailures } from '../../../world/registry-lookups.ts'
import type { VerifierContext } from '../context.ts'
import { findNotAccepted, presentOnce } from '../presentation-checks.ts'
import { createUsualAccount } from '../usual-account.ts'

const failures: typeof lookupFailures = {
  ...lookupFailures,
  'The server of the status list returns 500.': (trust, { statusListUrl }) => {
    trust.misbehave('status-list', 'server-error', new URL(statusListUrl).pathname)
    return () => trust.misbehave('status-list')
  },
}

/** How a verifier asks the registries, and whether it asks again. */
export const checks = defineChecks<VerifierContext>({
  'V141-type-of-documents': {
    title: 'DID documents are requested in a type that the DID registry has',
    level: 'spec',
    expectation: 'accept',
    observes: true,
    rows: ['2.endpoints/did-registry.2', '2.errors/did-registry.6', '2.errors/did-registry.8'],
    description:
      'The DID registry returns 406 if Accept contains neither of its two types. A verifier that asks for application/json gets no document, and rejects every credential.',
    sends: 'A valid presentation of a credential of a new issuer.',
    decides:
      'Each request for a DID document must accept application/did+ld+json or application/did+json. A missing Accept accepts both.',
    fix: 'Send Accept: application/did+ld+json with each request to the DID registry, or no Accept at all.',
    async run(context) {
      const { world, received } = context.trust
      const issuer = registerIssuer(world)
      const { reason } = await presentOnce(context, { what: 'A valid presentation.', issuer })
      return findDocumentsAcceptable(received, reason)
    },
  },
  'V142-lookup-failed-before': {
    title: 'A credential is accepted as soon as a failed lookup succeeds',
    level: 'practice',
    expectation: 'accept',
    control: 'presentation',
    clauses: ['docs/assumptions.md, A-29'],
    description:
      'An outage is short, and an organization may be registered after its first try. A verifier that remembers failed lookups or its verdict rejects valid credentials afterwards.',
    sends: `Credentials of new issuers, each presented while a lookup fails, and again when it succeeds: ${Object.keys(failures).join(' ')}`,
    decides: 'The verifier must accept the second presentation of each credential.',
    fix: 'Keep neither failed lookups (timeouts, 404, 5xx) nor the verdict about a credential. Look everything up again for each presentation.',
    timeLimitMilliseconds: 180_000,
    run(context) {
      return findEach(Object.entries(failures), async ([what, fail]) => {
        const { trust } = context
        const account = createUsualAccount()
        const issuer = registerIssuer(trust.world)
        const credentialStatus = publishStatusList(trust.world, { issuer })
        const credential = issueCredential(trust.world, {
          holderDid: account.did,
          now: context.now(),
          issuer,
          defect: {
            name: 'status',
            description: what,
            change: () => ({ vc: { credentialStatus } }),
          },
        })
        const again = `${what} The next lookup succeeds, and the credential is presented again.`
        const presentation = { what: again, account, createCredential: () => credential }
        const { statusListCredential: statusListUrl } = credentialStatus
        const succeed = fail(trust, { issuer, statusListUrl })
        // V44, V45 and V123 evaluate this verdict.
        await presentOnce(context, presentation)
        succeed()
        const observation = await presentOnce(context, presentation)
        const { reason, source: verdictSource } = observation
        return (
          findNotAccepted(again, observation) ??
          held(`${again} Accepted: ${reason}`, { verdictSource })
        )
      })
    },
  },
})
