import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  documentedMessages,
  expectIssuerRefusal,
  listRecords,
} from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'employee/refused-address',
  title: 'What is no address gets no mail, and smuggles in no other recipient',
  category: 'Employees',
  algorithms: ['EdDSA'],
  description: `
\`email\` is required. Without it, and with what is no single address, the answer is the documented 400.
Among these are the tricks of spammers: a **second recipient** behind a comma, a header behind a line
break, a name in front of the address. None of them becomes a mail to the victim, and no record is
kept.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential Issuer, row 5' },
    { document: 'Document 1', section: 'Errors, row 2' },
    { document: 'Assumptions', section: 'A-25' },
  ],

  async run(context) {
    const { step, uniqueName, mailbox } = context
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { power, bearerToken } = organization
    const victim = `victim.${uniqueName}@example.org`
    const refused = (json: object) =>
      step(`The portal sends ${JSON.stringify(json).slice(0, 80)}: 400`, async () => {
        const answer = await askIssuer(context, 'employee', bearerToken, { ...json, power })
        expectIssuerRefusal(answer, 400, documentedMessages.missingData)
      })

    await refused({})
    for (const email of [
      '',
      'eva',
      '@example.org',
      'eva@',
      'eva sanz@example.org',
      `eva@example.org, ${victim}`,
      `eva@example.org\r\nBcc: ${victim}`,
      `eva@example.org\nTo: ${victim}`,
      `"Eva" <${victim}>`,
      `${'x'.repeat(250)}@example.org`,
      [victim],
      7,
      null,
    ]) {
      await refused({ email })
    }
    await step('Nobody got a mail, and there is no record', async () => {
      expectEqual('mails to the victim', await mailbox.list(victim), [])
      expectEqual('the records', await listRecords(context, organization), [])
    })
  },
})
