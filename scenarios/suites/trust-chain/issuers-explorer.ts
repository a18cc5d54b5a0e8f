import {
  createOwnIssuer,
  createOwnTao,
  revokeAccreditation,
} from '#scenarios/fixtures/accreditations.ts'
import { cite, defineScenario, type ScenarioContext } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { eventually } from '#scenarios/harness/waiting.ts'

type Node = Readonly<Record<string, unknown>>

const pageSize = 100

/** The whole tree, page by page. */
async function readTree({ httpAs, environment }: ScenarioContext): Promise<readonly Node[]> {
  const nodes: Node[] = []
  for (let page = 1; ; page += 1) {
    const url = `${environment.tirBaseUrl}/v1/explorer/issuers?page=${page}&pageSize=${pageSize}`
    const answer = expectJson(await httpAs('auditor').request(url), 200)
    const items = answer.items as Node[]
    expectIncludes('the page', answer, { page, pageSize, howMany: items.length })
    nodes.push(...items)
    if (nodes.length >= Number(answer.total) || items.length === 0) return nodes
  }
}

export const scenario = defineScenario({
  id: 'trust-chain/issuers-explorer',
  title: 'The explorer shows accreditations and their revocations',
  algorithms: ['EdDSA'],
  description: `
An auditor reads the tree of trusted issuers page by page. It contains a TAO and an issuer that have just
been accredited, the issuer one level below its TAO. After the revocation it shows the issuer as
\`REVOKED\`, with its former role and the time of the revocation.

An invalid page is rejected with 400.`,
  references: cite('docs/guides/registries.md: Explorer', 'Assumptions: A-13, A-15'),

  async run(context) {
    const { step, environment, httpAs } = context
    const find = (attributeId: string, issuerType: string) =>
      // Other scenarios write at the same time, and their entries may push a node to another page.
      eventually(
        `the node ${attributeId} as ${issuerType}`,
        async () => {
          const tree = await readTree(context)
          return tree.find(
            (node) => node.attributeId === attributeId && node.issuerType === issuerType,
          )
        },
        context,
      )

    const tao = await step('The root accredits a TAO', createOwnTao)
    const issuer = await step('The TAO accredits an issuer', () =>
      createOwnIssuer(context, { by: tao }),
    )
    await step('The explorer shows both, one below the other', async () => {
      const above = await find(tao.attributeId, 'TAO')
      const below = await find(issuer.attributeId, 'TI')
      const { rootTao } = environment.trustChain
      expectIncludes('the TAO', above, { did: tao.did, tao: rootTao.did, revokedAt: null })
      expectIncludes('the issuer', below, {
        did: issuer.did,
        tao: tao.did,
        attributeIdTao: tao.attributeId,
        depth: Number(above.depth) + 1,
      })
    })
    await step('After a revocation it shows the time', async () => {
      const before = await context.control.readClock()
      await revokeAccreditation(context, issuer, tao)
      const node = await find(issuer.attributeId, 'REVOKED')
      expectEqual('its former role', node.publishedAs, 'TI')
      const revokedAt = expectPresent('revokedAt', node.revokedAt as number | null)
      expectTrue('it was revoked just now', Math.abs(revokedAt - before) <= 60, {
        revokedAt,
        before,
      })
    })
    await step('An invalid page is rejected', async () => {
      for (const query of ['page=0', 'pageSize=0', 'pageSize=101', 'page=x']) {
        const url = `${environment.tirBaseUrl}/v1/explorer/issuers?${query}`
        expectStatus(await httpAs('auditor').request(url), 400)
      }
    })
  },
})
