import { describe, expect, it } from 'vitest'
import { canLimitFileSize, limitFileSize, listChildren } from '#test/support/processes.ts'
import { callJson, openTestbedState, spawnTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

describe('a testbed on a full disk', () => {
  it('blames no client, says so in /health and the log, and recovers', async ({ skip }) => {
    if (!canLimitFileSize()) return skip('prlimit is not installed here')
    const testbed = spawnTestbed(createTemporaryFolder())
    const file = await testbed.healthy
    const { pre, control, sendMail } = await openTestbedState(file)
    const order = () => control('/pre/offers', { json: {} })
    const createKey = () =>
      callJson(`${pre.apiKeysBaseUrl}/api-keys`, {
        json: { name: 'full', scope: 'tir' },
        headers: { 'x-api-key': pre.apiKeys.operator ?? '' },
      })
    const write = async () => ({
      offer: (await order()).status,
      key: (await createKey()).status,
      mail: await sendMail('full').then(
        () => 250,
        ({ responseCode }) => responseCode,
      ),
    })
    const health = async () =>
      Promise.all(
        [pre.issuerBaseUrl, pre.apiKeysBaseUrl, file.mail.apiUrl, pre.didRegistryBaseUrl].map(
          async (url) => (await callJson(`${url}/health`)).status,
        ),
      )
    const good = await write()
    expect(good).toEqual({ offer: 200, key: 201, mail: 250 })
    const processes = [testbed.child.pid, ...listChildren(testbed.child.pid)]
    for (const pid of processes) limitFileSize(pid, 4096)
    expect(await write()).toEqual({ offer: 503, key: 503, mail: 451 })
    const json = { defect: 'accreditation-revoked' }
    expect((await control('/pre/defective-credentials', { json })).status).toBeGreaterThanOrEqual(
      500,
    )
    expect(await health()).toEqual([503, 503, 503, 503])
    expect(testbed.stderr()).toMatch(/disk I\/O error|disk is full/)
    for (const pid of processes) limitFileSize(pid, 'unlimited')
    await expect.poll(health).toEqual([200, 200, 200, 200])
    expect(await write()).toEqual(good)
    expect((await control('/pre/defective-credentials', { json })).status).toBe(200)
  }, 60_000)
})
