import { randomUUID } from 'node:crypto'
import { parseIsoTime } from '#core/verification/data-model.ts'
import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, findRefusal, requireAnswer } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../context.ts'
import { askAgain, credentialIdOf, credentialIn, obtainCredential } from '../credentials.ts'
import {
  listAsPremise,
  listRecords,
  obtainOwnCredential,
  requestOwnOffer,
  type SignedInPortal,
  signIn,
  signInLater,
} from '../portal-steps.ts'
import { askForCredential, reachAnswer, redeem } from '../redeeming.ts'

export const checks = defineChecks<IssuerContext>({
  'I73-revoke': {
    title: 'A credential can be revoked',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.8', '1.states-and-transitions.3'],
    description: 'A person who leaves an organization must no longer act for it.',
    sends:
      'A representative gets a credential and requests another offer. The portal posts both credential_ids to /issuance/credential/revoke; the second one only if its record already has it. If the clock can be moved, also the id of a credential after its validUntil.',
    decides: 'Each response is 200.',
    fix: 'Accept the credential_id of a delivered credential, including an expired one, and that of a pending record, at POST /issuance/credential/revoke. Revoke the credential, and return 200.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const json = { credential_id: await obtainOwnCredential(context, signedIn) }
      const { portal, headers } = signedIn
      requireAnswer(await portal.post('credential/revoke', json, headers), 'The revocation')
      const known = new Set((await listAsPremise(signedIn)).map(({ id }) => id))
      await asPremise('requesting a credential (see I62)', requestOwnOffer(signedIn))
      const pending = (await listAsPremise(signedIn)).find(({ id }) => !known.has(id))
      if (typeof pending?.credential_id === 'string' && pending.credential_id !== '') {
        const { credential_id } = pending
        const answer = await portal.post('credential/revoke', { credential_id }, headers)
        requireAnswer(answer, 'The revocation of a pending record')
      }
      if (context.can('clock')) await requireExpiredRevoked(context, signedIn)
      return held('It is revoked.', { verdictSource: 'HTTP status of /issuance/credential/revoke' })
    },
  },
  'I74-revoke-twice': {
    title: 'A revoked credential cannot be revoked again',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.errors.6', '1.states-and-transitions.4'],
    description:
      'If the response were a success, an operator would believe that this request revoked the credential.',
    sends: 'POST /issuance/credential/revoke twice with the same credential_id.',
    decides: 'The first returns 200, the second 400.',
    fix: 'Read the status before you revoke. If the credential is already revoked, return 400 from POST /issuance/credential/revoke.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const json = { credential_id: await obtainOwnCredential(context, signedIn) }
      const revoke = () => signedIn.portal.post('credential/revoke', json, signedIn.headers)
      await reachAnswer('the first revocation', revoke())
      return findRefusal(await revoke(), { what: 'The second revocation', statuses: [400] })
    },
  },
  'I75-revoke-unknown': {
    title: 'An unknown credential cannot be revoked',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.errors.5'],
    description: 'An operator who mistypes an id must not believe that the credential is revoked.',
    sends: 'POST /issuance/credential/revoke with a new urn:uuid and a valid Bearer token.',
    decides: 'The response is 404.',
    fix: 'Look up credential_id before you revoke. If the issuer has no such credential, return 404 from POST /issuance/credential/revoke.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      await asPremise('listing credentials with the same token', listRecords(signedIn))
      const json = { credential_id: `urn:uuid:${randomUUID()}` }
      const answer = await signedIn.portal.post('credential/revoke', json, signedIn.headers)
      return findRefusal(answer, {
        what: 'The revocation of an unknown credential',
        statuses: [404],
      })
    },
  },
  'I85-revoked-is-listed': {
    title: 'The list shows that a revoked credential is revoked',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.states-and-transitions.3', '1.endpoints/credential-issuer.7'],
    description: 'The list must show which people can act for the organization.',
    sends:
      'A representative gets two credentials, the portal reads the list, revokes the second one and reads the list again.',
    decides:
      'The record with this credential_id has the status revoked. Any other new value is a WARN: the profile does not specify the values of status. No other record gets the same new status.',
    fix: 'Set status of the record to revoked when the revocation succeeds, and only of the one with this credential_id, so that the next POST /issuance/credential returns it.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      // An issuer may revoke the first credential of a person when it issues the second one.
      await obtainOwnCredential(context, signedIn)
      const json = { credential_id: await obtainOwnCredential(context, signedIn) }
      const { portal, headers } = signedIn
      const readStatuses = async () =>
        new Map((await listRecords(signedIn)).map((each) => [each.credential_id, each.status]))
      const earlier = await readStatuses()
      await reachAnswer('the revocation', portal.post('credential/revoke', json, headers))
      const later = await readStatuses()
      const [before, after] = [earlier, later].map((each) => each.get(json.credential_id))
      const verdictSource = 'status in the list of /issuance/credential'
      if (after === 'revoked') {
        const others = [...earlier].filter(
          ([id, status]) =>
            id !== json.credential_id && status !== after && later.get(id) === after,
        )
        if (others.length === 0) return held('It is revoked in the list.', { verdictSource })
        const details = { expected: [], actual: others.map(([id]) => id), verdictSource }
        return broken('The revocation changed other records.', details)
      }
      const hasChanged = typeof after === 'string' && before !== undefined && after !== before
      return broken('The list does not show that it is revoked.', {
        expected: 'revoked',
        actual: after ?? 'no record',
        verdictSource,
        ...(hasChanged && { level: 'practice' }),
      })
    },
  },
  'I166-not-delivered-again': {
    title: 'A revoked credential is not delivered again',
    level: 'practice',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.states-and-transitions.3'],
    description:
      'A wallet that lost the response may ask again. After the revocation its holder would believe that the credential is valid.',
    sends:
      'A representative gets a credential, and the portal revokes it. In the same session the wallet requests it again, with the same key and a fresh c_nonce.',
    decides:
      'The request returns 4xx. If the issuer returns no c_nonce after the delivery, the check is inconclusive.',
    fix: 'Check the status of the record before you return a stored credential. If it is revoked, reject the credential request with a 4xx, such as 400.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const made = await asPremise('requesting a credential (see I62)', requestOwnOffer(signedIn))
      const session = await redeem(context, { made })
      const first = await reachAnswer('the first request', askForCredential(context, session))
      const delivered = credentialIn(first)
      if (delivered === undefined) return inconclusive('The credential is deferred: see I21.')
      const { portal, headers } = signedIn
      const json = { credential_id: delivered.id }
      await reachAnswer('the revocation', portal.post('credential/revoke', json, headers))
      const { answer } = await askAgain(context, session, session)
      return findRefusal(answer, { what: 'The request for the revoked credential' })
    },
  },
  'I163-revoke-one-of-several': {
    title: 'The revocation of one credential of an offer does not end the others',
    level: 'practice',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.8', '1.states-and-transitions.3'],
    description:
      'A representative revokes the credential that was a mistake. The holder still needs the others, and must not get the revoked one.',
    sends:
      'Creates an offer of several credentials, revokes the record of its first one, and requests the others and then the first one as a wallet.',
    decides:
      'The others are issued, and the first one is not. If the list has no records of the offer, the check is inconclusive.',
    fix: 'Revoke only the record that credential_id names. End the offer only if it has no other credential that a wallet can still request.',
    needs: ['several', 'portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const known = new Set((await listAsPremise(signedIn)).map(({ id }) => id))
      const { wallet, resolved, token } = await redeem(context, { kind: 'several' })
      const added = (await listAsPremise(signedIn)).filter(({ id }) => !known.has(id))
      const [revoked, ...others] = resolved.offered
      const record = added.find(({ vc_type }) => vc_type === revoked?.types.at(-1))
      if (
        revoked === undefined ||
        others.length === 0 ||
        typeof record?.credential_id !== 'string'
      ) {
        return inconclusive('The list has no records of create-offer-of-several.')
      }
      const { portal, headers } = signedIn
      const json = { credential_id: record.credential_id }
      await reachAnswer('the revocation', portal.post('credential/revoke', json, headers))
      const verdictSource = 'HTTP status of the credential endpoint'
      let { cNonce } = token
      for (const entry of others) {
        const request = { ...token, metadata: resolved.metadata, entry }
        const issued = await requestCredential(wallet, { ...request, ...(cNonce && { cNonce }) })
        cNonce = issued.cNonce
      }
      if (cNonce === undefined) {
        return held('The others were issued, and the session has ended.', { verdictSource })
      }
      const session = { wallet, resolved: { ...resolved, offered: [revoked] }, token }
      const answer = await askForCredential(context, session, { cNonce })
      return findRefusal(answer, { what: 'The request for the revoked credential' })
    },
  },
})

/** Ends the check if an expired credential cannot be revoked; does nothing if that cannot be seen. */
async function requireExpiredRevoked(
  context: IssuerContext,
  signedIn: SignedInPortal,
): Promise<void> {
  const made = await asPremise('requesting a credential (see I62)', requestOwnOffer(signedIn))
  const credential = await obtainCredential(context, { made })
  const end = parseIsoTime(credential.vc.validUntil)
  if (end === undefined) return
  const later = await signInLater(context, Math.ceil(end - context.now()) + 2)
  if (later === undefined) return
  const { portal, headers } = later.signedIn
  const json = { credential_id: credentialIdOf(credential) }
  const answer = await portal.post('credential/revoke', json, headers)
  requireAnswer(answer, 'The revocation of an expired credential')
}
