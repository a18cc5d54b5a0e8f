import { broken, defineChecks, endCheck, findEach, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, classifyStatus, findRefusal, outageOf } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import {
  listRecords,
  obtainOwnCredential,
  requestOwnOffer,
  type SignedInPortal,
  signIn,
} from '../portal-steps.ts'
import { similarValuesOf, wrongTypesOf } from '../similar-values.ts'

const verdictSource = 'the answer of /issuance/credential'

export const checks = defineChecks<IssuerContext>({
  'I125-other-records': {
    title: 'The list shows only records of the organization in the token',
    level: 'practice',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.endpoints/credential-issuer.7', '1.resources-and-their-fields/issuedcredential.4'],
    description:
      'The list contains who may act for an organization. A token of one organization must not reveal that of another.',
    sends:
      'POST /issuance/credential with identifiers that are wildcards, similar to that of the organization or of another type, also next to its own. If the target has a second organization, with its identifier, also next to the own one.',
    decides:
      'Each is rejected with a 4xx, or returns only records of the organization in the token, while its own identifier returns its records.',
    fix: 'Compare each of organization_identifiers with organization_identifier of the Bearer token. If one differs, answer 403, or leave out its records.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      await asPremise('requesting a credential', requestOwnOffer(signedIn))
      const { portal, headers } = signedIn
      const own = portal.organizationIdentifier
      if ((await asPremise('listing credentials', listRecords(signedIn))).length === 0) {
        return inconclusive('The list is empty: see I80.')
      }
      const other = portal.other && (await signIn(portal.other))
      if (other) await asPremise('requesting another credential', requestOwnOffer(other))
      const others = other ? [other.portal.organizationIdentifier] : []
      const lists = [
        ...others.flatMap((each) => [[each], [own, each], [each, own]]),
        ...similarValuesOf(own).flatMap(({ value }) => [[value], [own, value]]),
        ...wrongTypesOf(own).map(({ value }) => [value]),
        [],
      ]
      const requests = [...lists, own, null, '*', undefined, {}].map((identifiers) => ({
        organization_identifiers: identifiers,
      }))
      return findEach(requests, async (json) => {
        const answer = await portal.post('credential', json, headers)
        const kind = classifyStatus(answer.status)
        const what = `The list for ${JSON.stringify(json.organization_identifiers)}`
        if (kind === 'refused') return held(`${what} was rejected.`, { verdictSource })
        if (kind !== 'accepted') {
          const details = { verdictSource, ...outageOf(answer.status) }
          return inconclusive(`${what} was answered with HTTP ${answer.status}.`, details)
        }
        const records = Array.isArray(answer.json) ? answer.json : []
        const foreign = records.find(
          (record) => (record as Record<string, unknown> | null)?.organization_identifier !== own,
        )
        return foreign === undefined
          ? held(`${what} has only its own records.`, { verdictSource })
          : broken(`${what} has a record of another organization.`, {
              expected: own,
              actual: (foreign as Record<string, unknown> | null)?.organization_identifier,
              verdictSource,
            })
      })
    },
  },
  'I126-other-credential': {
    title: 'A credential of another organization cannot be revoked',
    level: 'practice',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.endpoints/credential-issuer.8', '1.resources-and-their-fields/issuedcredential.4'],
    description:
      'A representative who knows or guesses an id must not be able to stop the people of another organization.',
    sends:
      'A representative of the second organization gets a credential. The first organization posts its id to /issuance/credential/revoke, and the second one reads its list.',
    decides:
      'The answer is a 4xx, and the record of the second organization has the same status as before. After that, the second organization itself can revoke it.',
    fix: 'Compare the organization of the record with organization_identifier of the Bearer token before you revoke. If they differ, answer 403 or 404, and change nothing.',
    needs: ['portal', 'other-organization'],
    async run(context) {
      const portal = context.portal()
      const owner = await signIn(portal.other ?? endCheck(inconclusive('There is no other one.')))
      const credentialId = await obtainOwnCredential(context, owner)
      const json = { credential_id: credentialId }
      const before = await statusOf(owner, credentialId)
      const stranger = await signIn(portal)
      const answer = await portal.post('credential/revoke', json, stranger.headers)
      const finding = findRefusal(answer, { what: 'The revocation by another organization' })
      if (finding.kind !== 'held') return finding
      const after = await statusOf(owner, credentialId)
      if (after === 'revoked' && before !== after) {
        const details = { expected: before, actual: after, verdictSource }
        return broken('The revocation was rejected, but the credential is revoked.', details)
      }
      const own = await owner.portal.post('credential/revoke', json, owner.headers)
      return classifyStatus(own.status) === 'accepted'
        ? finding
        : inconclusive(`The owner's revocation was answered with HTTP ${own.status}: see I73.`)
    },
  },
})

async function statusOf(owner: SignedInPortal, credentialId: string): Promise<unknown> {
  const records = await asPremise('listing credentials', listRecords(owner))
  return records.find(({ credential_id: id }) => id === credentialId)?.status
}
