import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, type Finding, held, inconclusive } from '../../../kit/check.ts'
import {
  asPremise,
  classifyStatus,
  requireAnswer,
  requireJson,
} from '../../../kit/classify-answer.ts'
import { requireEach } from '../../../kit/find-each.ts'
import {
  answersEverything,
  findDocumentation,
  hasPasswordField,
  metricLine,
  wordsOf,
} from '../../../kit/read-pages.ts'
import type { IdpContext } from '../context.ts'

/** The members for endpoints, with their paths in the profile. */
const documented = {
  authorization_endpoint: '/accounts/authorize',
  token_endpoint: '/accounts/token',
  userinfo_endpoint: '/accounts/userinfo',
  jwks_uri: '/accounts/jwks',
}

/** Discovery, health, metrics, documentation and the admin pages. */
export const checks = defineChecks<IdpContext>({
  'O01-discovery': {
    title: 'The discovery document has the documented fields',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-idp.3', '1.endpoints/credential-idp.11'],
    clauses: ['OpenID Connect Discovery 1.0, 3'],
    description:
      'Clients configure themselves from it; a missing or wrong field breaks all of them, or lets them use an untested algorithm.',
    sends: 'GET /.well-known/openid-configuration',
    decides:
      'Every documented field has its value, and there is only the documented algorithm; issuer is the requested address. Additional response types and grants, and endpoints at other paths than documented, are a warning.',
    fix: 'Set issuer to the address of the IDP, and add the four endpoints and scopes_supported. Set response_types_supported to code, grant_types_supported to authorization_code, and id_token_signing_alg_values_supported to RS256.',
    async run({ discover, baseUrl }) {
      const document = await discover()
      const { issuer } = document
      // A slash at the end is the issuer's own choice (OpenID Connect Discovery 1.0, 4.1).
      expectTrue(`issuer is ${baseUrl}`, [baseUrl, `${baseUrl}/`].includes(String(issuer)), issuer)
      for (const name of Object.keys(documented)) {
        const value = document[name]
        expectTrue(`${name} is an address`, typeof value === 'string' && URL.canParse(value), value)
      }
      const scopes = [document.scopes_supported].flat()
      for (const scope of ['openid', 'profile', 'email', 'openid-vp-lear']) {
        expectTrue(`scopes_supported has ${scope}`, scopes.includes(scope), scopes)
      }
      const lists = {
        response_types_supported: 'code',
        grant_types_supported: 'authorization_code',
      }
      for (const [name, due] of Object.entries(lists)) {
        const values = [document[name]].flat()
        expectTrue(`${name} has ${due}`, values.includes(due), values)
      }
      const algorithms = document.id_token_signing_alg_values_supported
      expectEqual('id_token_signing_alg_values_supported', algorithms, ['RS256'])
      const more = Object.entries(lists).flatMap(([name, due]) => {
        return [document[name]]
          .flat()
          .flatMap((value) => (value === due ? [] : [`${name}: ${value}`]))
      })
      if (more.length > 0) {
        const reason = `The document has undocumented values: ${more.join(', ')}`
        return broken(reason, { level: 'practice' })
      }
      const pathOf = (address: unknown) => new URL(String(address)).pathname
      const elsewhere = Object.entries(documented).filter(
        ([name, path]) => pathOf(document[name]) !== pathOf(`${baseUrl}${path}`),
      )
      if (elsewhere.length > 0) {
        const wrong = elsewhere.map(([name]) => `${name}: ${document[name]}`)
        return broken(`Endpoints have other paths than documented: ${wrong.join(', ')}`, {
          level: 'practice',
        })
      }
      return held('All documented fields are present.')
    },
  },
  'O26-health': {
    title: 'GET /health returns the state of service and database',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-idp.1', '1.authentication.5'],
    description: 'Operators have no other indicator.',
    sends: 'GET /health without any credentials.',
    decides: '200 {status: ok, db: connected}',
    fix: 'Respond to GET /health with 200, status ok and db connected in a JSON object. Require no authentication.',
    async run({ httpAs, baseUrl }) {
      const answer = await httpAs('operator').request(`${baseUrl}/health`)
      const { status, db } = requireJson(answer, 'GET /health')
      expectEqual('status', status, 'ok')
      expectEqual('db', db, 'connected')
      return held('status is ok and db connected.')
    },
  },
  'O27-metrics': {
    title: 'GET /metrics is public and returns text',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-idp.2', '1.authentication.5'],
    description: 'Monitoring reads it without credentials.',
    sends: 'GET /metrics without any credentials.',
    decides: '200 with metrics in the Prometheus format.',
    fix: 'Serve GET /metrics in the text format of Prometheus. Require no authentication.',
    async run({ httpAs, baseUrl }) {
      const answer = await httpAs('operator').request(`${baseUrl}/metrics`)
      const { contentType, text } = requireAnswer(answer, 'GET /metrics')
      expectTrue(
        'the content type is text',
        /^(text|application\/openmetrics)/.test(contentType),
        contentType,
      )
      expectTrue('it has metrics, one per line', metricLine.test(text))
      return held('The metrics are in text format.')
    },
  },
  'O85-api-documentation': {
    title: 'GET /swagger shows the API documentation',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.what-the-service-does.4'],
    description: 'Developers of relying parties look there for the endpoints and their parameters.',
    sends: 'GET /swagger as a browser, which follows redirects.',
    decides:
      '200 with an HTML page. A login in front of it is a warning. If unknown addresses show the same page, the check is inconclusive.',
    fix: 'Serve the interactive API documentation as an HTML page at GET /swagger, without a login.',
    async run({ discover, httpAs, baseUrl }) {
      // A server that rejects everything does not lack this page in particular.
      await asPremise('the discovery document (see O01)', discover())
      const loginLevel = 'practice'
      return findDocumentation(httpAs('browser'), `${baseUrl}/swagger`, { loginLevel })
    },
  },
  'O28-admin-needs-login': {
    title: 'The admin panel requires a login',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.endpoints/credential-idp.9', '1.authentication.6'],
    description: 'An attacker with access could register their own clients and redirect URIs.',
    sends: 'GET /admin/ without a session, and other spellings of its path.',
    decides:
      'It is rejected, shows a login, or leads elsewhere; if only a script fills the page, the check is inconclusive.',
    fix: "Require an administrator's session for every path below /admin/. Without one, return 401 or redirect to the login.",
    async run(context) {
      // A server that rejects everything does not prove that it protects the panel.
      await asPremise('the discovery document (see O01)', context.discover())
      const finding = await findPanel(context, '/admin/')
      if (finding.kind !== 'held') return finding
      await requireEach(['/admin', '/admin//', '/ADMIN/'], async (path) => {
        const other = await findPanel(context, path)
        if (other.kind === 'broken') return other
      })
      return finding
    },
  },
})

/** What the admin panel shows at a path to a browser without a session. */
async function findPanel({ createBrowser, baseUrl }: IdpContext, path: string): Promise<Finding> {
  const address = `${baseUrl}${path}`
  const browser = createBrowser()
  const page = await asPremise(`opening ${path}`, browser.get(address))
  const { status, text, url } = page
  if (status === 401 || status === 403) {
    return held(`Without a login the panel is rejected: HTTP ${status}.`)
  }
  if (status === 404) return inconclusive(`There is no page at ${path}: HTTP 404.`)
  if (classifyStatus(status) !== 'accepted') {
    return inconclusive(`GET ${path} returned HTTP ${status}, which is not about a login.`)
  }
  if (await answersEverything(browser, page)) {
    return inconclusive(`GET ${path} returns the same page as any unknown address.`)
  }
  if (hasPasswordField(page)) return held('Without a login the panel shows a login.')
  if (!url.startsWith(address.replace(/\/+$/, ''))) {
    return held(`Without a login the panel leads to ${url.split('?')[0]}.`)
  }
  return wordsOf(text) === '' && /<script\b/i.test(text)
    ? inconclusive(`GET ${path} returns a page that only its script fills.`)
    : broken(`GET ${path} shows content without a login.`, { actual: status })
}
