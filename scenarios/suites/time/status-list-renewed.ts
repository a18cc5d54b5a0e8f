import { parseJws } from '#core/crypto/jws.ts'
import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { revokeCredential } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectMatch,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'time/status-list-renewed',
  title: 'A status list ends, is renewed, and knows a revocation at once',
  category: 'Time',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
A credential points into a status list, a signed credential at the issuer with an end of its own. The
scenario reads the list, moves past that end, and reads it again: a new one, valid now. The credential
logs in: nobody judges by a list that has ended.

Then the credential is revoked, and the next login is refused for \`credential.status\`, without
waiting until whoever kept the list may forget it.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, row 3' },
    { document: 'Assumptions', section: 'A-23' },
  ],
  needs: ['clock'],

  async run(context) {
    const { step, control, httpAs } = context
    const wallet = context.createWallet()
    const { vc, credentialId } = await step('A wallet collects a credential', () =>
      collectCredential(context, wallet),
    )
    const { statusListCredential } = vc.credentialStatus as { statusListCredential?: string }
    const url = expectPresent('the address of its status list', statusListCredential)
    const readList = async () => {
      const answer = expectStatus(await httpAs('verifier').request(url), 200)
      const jws = parseJws(answer.text.trim())
      if (!jws.ok) throw new TypeError(`The list is no JWT: ${jws.reason}`)
      expectMatch('max-age', answer.headers.get('cache-control'), /max-age=\d+/)
      return { from: Number(jws.payload.iat), to: Number(jws.payload.exp) }
    }
    const first = await step('The list says until when it is good', readList)
    try {
      await step('Past that, it is a new one', async () => {
        const now = await control.advanceClock(first.to - context.now() + 1)
        const second = await readList()
        expectTrue('the new list is good now', second.from <= now && now < second.to, second)
      })
      await step('The credential logs its holder in', () => logIn(context, wallet))
      await step('Revoked, it does not, at once', async () => {
        await revokeCredential(context, credentialId)
        await expectLoginRefused(context, wallet, 'credential.status')
      })
    } finally {
      await control.resetClock()
    }
  },
})
