import mailhog from 'mailhog'
import { describe, expect, it, onTestFinished } from 'vitest'
import { send } from '#test/support/http.ts'
import {
  askIssuer,
  listRecords,
  managementApiKey,
  openSession,
  power,
  requestCredential,
  startIssuanceSystem,
} from '#test/support/issuance.ts'
import { findPostgres, startPostgres } from '#test/support/start-postgres.ts'

describe('issuer, connector, management API and mail server in one PostgreSQL database', () => {
  it('issue, queue emails across a restart, list, and revoke', async ({ skip }) => {
    const programs = findPostgres()
    if (!programs) return skip('PostgreSQL is not installed (apt-get install postgresql)')
    const postgres = await startPostgres(programs)
    onTestFinished(() => postgres.stop())
    const databaseUrl = postgres.url

    const first = await startIssuanceSystem({ databaseUrl })
    const requests = Array.from({ length: 10 }, () =>
      askIssuer(first, 'representative', { power: [power] }),
    )
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array(10).fill(200))
    first.runtime.activeFaults.add('mail-down')
    const mail = { email: 'ana@example.org', power: [power], language: 'es' }
    expect((await askIssuer(first, 'employee', mail)).body.message).toContain('queued')
    const edited = await send(`${first.management.baseUrl}/stand-in/organizations/VATES-NEW`, {
      method: 'PUT',
      headers: { 'x-api-key': managementApiKey },
      json: { authorized_powers: [power] },
    })
    expect(edited.status).toBe(200)
    await first.stop()

    const second = await startIssuanceSystem({ databaseUrl })
    second.runtime.advance(120)
    const inbox = mailhog({ host: '127.0.0.1', port: Number(new URL(second.mail.baseUrl).port) })
    await expect
      .poll(() => inbox.latestTo('ana@example.org'))
      .toMatchObject({ subject: 'Su credencial de Ejemplo S.A.' })
    const records = await listRecords(second)
    expect(records).toHaveLength(11)
    const { credential_id = '' } = records[0] ?? {}
    const revocations = Array.from({ length: 10 }, () =>
      askIssuer(second, 'credential/revoke', { credential_id }),
    )
    const statuses = (await Promise.all(revocations)).map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(9).fill(400)])
    expect((await listRecords(second))[0]).toMatchObject({ credential_id, status: 'revoked' })
    const authorization = 'Bearer x'
    const path = `${second.management.baseUrl}/managements/organization/VATES-NEW`
    expect((await fetch(path, { headers: { authorization } })).status).toBe(200)

    // A credential request, and a second one with the same c_nonce.
    const session = await openSession(second)
    const answers = [
      await requestCredential(second, session),
      await requestCredential(second, session),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([200, 400])
    expect(answers[1]?.body.error).toBe('invalid_nonce')

    // PostgreSQL cannot store U+0000 in a string, which is an error of the client.
    const asked = { credential_id: 'urn:uuid:\0', organization_identifiers: ['VATES-\0'] }
    expect((await askIssuer(second, 'credential/revoke', asked)).status).toBe(400)
    expect((await askIssuer(second, 'credential', asked)).status).toBe(403)
  })
})
