import { describe, expect, it } from 'vitest'
import { send } from '#test/support/http.ts'
import { readQrPng } from '#test/support/images.ts'
import { openTestbedForTest } from '#test/support/running-testbed.ts'
import { requestAs } from '#test/support/servers.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import type { TestbedOptions } from '#testbed/services/options.ts'

describe('startTestbed', () => {
  describe.each([
    { bind: '127.0.0.1', publicUrl: 'https://testbed.example' },
    // Addresses of a network card, for which Linux has the whole loopback network.
    ...(process.platform === 'linux'
      ? [
          { bind: '127.0.0.2', publicUrl: 'http://127.0.0.2/' },
          { bind: '127.0.0.2', publicUrl: 'https://testbed.example', processes: true },
          { bind: '0.0.0.0', publicUrl: 'http://127.0.0.2' },
        ]
      : []),
  ])('on $bind as $publicUrl', (options: TestbedOptions) => {
    it('starts, and its parts reach each other although the public address is not served', async () => {
      const { testbed } = await openTestbedForTest(options)
      const { consoleUrl, control, environments } = testbed.file
      const { bind = '', publicUrl = `http://${bind}` } = options
      const local = (url: string) => {
        const { port, pathname } = new URL(url)
        return `http://${bind === '0.0.0.0' ? '127.0.0.1' : bind}:${port}${pathname}`
      }
      const { issuerBaseUrl = '', organizations = [] } = environments.pre ?? {}
      for (const url of [consoleUrl, issuerBaseUrl]) {
        expect(new URL(url).origin).toMatch(new RegExp(`^${new URL(publicUrl).protocol}`))
        expect(new URL(url).hostname).toBe(new URL(publicUrl).hostname)
      }

      // Through the control interface, the token issuer, the management API and the connector.
      const [organization] = organizations
      const minted = await send(`${local(control.url)}/pre/bearer-tokens`, {
        headers: { authorization: `Bearer ${control.token}` },
        json: { organization_identifier: organization?.organizationIdentifier },
      })
      const { access_token } = (await minted.json()) as { access_token: string }
      const qr = await send(`${local(issuerBaseUrl)}issuance/representative`, {
        headers: { authorization: `Bearer ${access_token}` },
        json: { power: organization?.authorizedPowers },
      })
      expect(qr.status).toBe(200)
      const link = decodeURIComponent(readQrPng(await qr.arrayBuffer()))
      expect(link).toContain(`"credential_issuer":"${issuerBaseUrl}"`)

      const { host } = new URL(consoleUrl)
      const url = `${local(consoleUrl)}health`
      expect(await requestAs(host, url, {}), `${url} as ${host}`).toBe(200)
      expect(await requestAs('evil.example', url, {})).toBe(403)
    })
  })

  it.each(['manual', 50] as const)('starts in mining mode %s, and keeps it', async (mining) => {
    const folder = createTemporaryFolder()
    const { testbed, control } = await openTestbedForTest({ dataFolder: folder, mining })
    const hash = `0x${'00'.repeat(32)}`
    expect((await control(`/pre/transactions/${hash}`)).status).toBe(404)
    await testbed.close()
    const { testbed: again } = await openTestbedForTest({ dataFolder: folder, mining })
    expect(again.file.environments.pre?.trustChain).toEqual(
      testbed.file.environments.pre?.trustChain,
    )
  })
})
