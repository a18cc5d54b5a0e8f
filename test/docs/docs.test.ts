import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import express from 'express'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { zTokenIssuerConfig } from '#services/token-issuer/config.ts'
import { mapClaims } from '#services/token-issuer/domain/account.ts'
import { findDeadLinks } from '#test/package/find-dead-links.ts'
import { expectAccessible } from '#test/support/accessibility.ts'
import { linkOf, startLoginSystem } from '#test/support/login-system.ts'
import { openBrowser } from '#test/support/open-console.ts'
import { root } from '#test/support/repository.ts'
import { closeServer, listenOn } from '#test/support/servers.ts'
import { createTokenIssuerConfig } from '#test/support/token-issuer.ts'
import { addCommand, commandNames, createProgram } from '#testbed/command-line/run-command-line.ts'
import { serveDocumentation } from '#testbed/console/frame/documentation.ts'
import { serveAssets } from '#testbed/console/frame/static-files.ts'
import { brokerAlias } from '#testbed/services/environment-context.ts'

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')

describe('links between the pages of the repository', () => {
  it.each(pages)('%s has no broken link', (page) => {
    expect(findDeadLinks(join(root, page))).toEqual([])
  })
})

describe('the guides, concepts and pages of the profile', () => {
  const listed = pages.filter((page) => /^docs\/(guides|concepts|profile)\//.test(page))
  const read = (file: string) => readFileSync(join(root, file), 'utf8')

  it.each(['docs/README.md', 'docs/profile/README.md'])(
    '%s links to each of its pages',
    (index) => {
      const own = listed.filter(
        (page) => page.startsWith('docs/profile/') === index.startsWith('docs/profile/'),
      )
      const folder = dirname(index)
      const missing = own
        .filter((page) => page !== index)
        .filter((page) => !read(index).includes(`](${relative(folder, page)})`))
      expect(missing).toEqual([])
    },
  )

  it('are in the menu of the site', () => {
    const menu = read('docs/.vitepress/config.mjs')
    const missing = listed.filter(
      (page) => !menu.includes(`'${page.replace(/^docs/, '').replace(/(README)?\.md$/, '')}'`),
    )
    expect(missing).toEqual([])
  })
})

it('the guide for CI lists the inputs of the action with their defaults', () => {
  const { inputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
  const rows = Object.entries<{ default: string }>(inputs).map(
    ([name, { default: value }]) => `| \`${name}\` |${value === '' ? '' : ` \`${value}\``} | `,
  )
  const page = readFileSync(join(root, 'docs/guides/ci.md'), 'utf8')
  expect(rows.filter((row) => !page.includes(`\n${row}`))).toEqual([])
})

interface Mapper {
  readonly name: string
  readonly identityProviderAlias?: string
  readonly identityProviderMapper?: string
  readonly protocolMapper?: string
  readonly config: Readonly<Record<string, string>>
}

interface Realm {
  readonly realm: string
  readonly loginWithEmailAllowed: boolean
  readonly duplicateEmailsAllowed: boolean
  readonly clients: readonly [{ readonly protocolMappers: readonly Mapper[] }]
  readonly identityProviders: readonly [
    { readonly alias: string; readonly config: Readonly<Record<string, string>> },
  ]
  readonly identityProviderMappers: readonly Mapper[]
  readonly components: Readonly<Record<string, { config: Record<string, string[]> }[]>>
}

const folder = new URL('../../docs/guides/keycloak/', import.meta.url)
const text = readFileSync(new URL('lear-testbed-realm.json', folder), 'utf8')
const guide = readFileSync(new URL('README.md', folder), 'utf8')

/** The realm with its placeholders filled in, as Keycloak does when it imports it. */
const fillIn = (values: Readonly<Record<string, string>>): Realm =>
  JSON.parse(text, (_name, value) =>
    typeof value === 'string'
      ? value.replace(/\$\{(\w+)\}/g, (whole, name) => values[name] ?? whole)
      : value,
  )

const idpClient = { clientId: 'keycloak', clientSecret: 'a secret of keycloak at the idp' }

async function startIdp() {
  const redirectUri = `https://keycloak.example/realms/${fillIn({}).realm}/broker/${brokerAlias}/endpoint`
  const system = await startLoginSystem((config) => ({
    ...config,
    clients: [...(config.clients ?? []), { ...idpClient, redirectUris: [redirectUri] }],
  }))
  const realm = fillIn({
    IDP_BASE_URL: system.baseUrl,
    IDP_CLIENT_ID: idpClient.clientId,
    IDP_CLIENT_SECRET: idpClient.clientSecret,
  })
  return { system, redirectUri, realm, broker: realm.identityProviders[0] }
}

/** What our own token issuer would do with the same provider. */
async function ownBroker(issuerUrl: string) {
  const given = createTokenIssuerConfig('https://token-issuer.example')
  const brokers = [{ alias: brokerAlias, issuerUrl, ...idpClient }]
  const [broker] = zTokenIssuerConfig.parse({ ...given, brokers }).brokers
  if (!broker) throw new Error('there is no broker')
  return broker
}

describe('the realm for Keycloak', () => {
  it('has the addresses of the IDP’s discovery document, and our broker’s alias and scope', async () => {
    const { system, broker } = await startIdp()
    const answer = await fetch(`${system.baseUrl}/.well-known/openid-configuration`)
    const discovery = (await answer.json()) as Record<string, string>
    expect(broker.config).toMatchObject({
      issuer: discovery.issuer,
      authorizationUrl: discovery.authorization_endpoint,
      tokenUrl: discovery.token_endpoint,
      userInfoUrl: discovery.userinfo_endpoint,
      jwksUrl: discovery.jwks_uri,
      validateSignature: 'true',
      useJwksUrl: 'true',
      disableNonce: 'false',
      pkceEnabled: 'true',
    })
    expect(discovery.token_endpoint_auth_methods_supported).toContain(
      broker.config.clientAuthMethod,
    )
    expect(discovery.code_challenge_methods_supported).toContain(broker.config.pkceMethod)
    const own = await ownBroker(system.baseUrl)
    expect([broker.alias, broker.config.defaultScope]).toEqual([own.alias, own.scope])
  })

  // @row 1.resources-and-their-fields/idp-id-token-claims.4
  it('maps each claim that our token issuer maps, in and out, and links only by alias and sub', async () => {
    const realm = fillIn({})
    const own = await ownBroker('https://idp.example')
    const attributes = realm.identityProviderMappers.filter(
      ({ identityProviderMapper: kind }) => kind === 'oidc-user-attribute-idp-mapper',
    )
    // Keycloak derives name from two claims; the user must not choose the user name.
    const made = ['name', 'preferred_username']
    const mapped = Object.keys(own.mappers).filter((claim) => !made.includes(claim))
    expect(attributes.map(({ config }) => config.claim).toSorted()).toEqual(mapped.toSorted())
    const outgoing = realm.clients[0].protocolMappers.filter(({ config }) => config['claim.name'])
    expect(outgoing.map(({ config }) => config['claim.name']).toSorted()).toEqual(mapped.toSorted())
    const fullName = realm.clients[0].protocolMappers.filter(
      ({ protocolMapper: kind }) => kind === 'oidc-full-name-mapper',
    )
    expect(fullName).toHaveLength(1)
    for (const { config } of [...outgoing, ...fullName]) {
      expect(config['access.token.claim']).toBe('true')
    }
    expect(
      realm.identityProviderMappers.every((each) => each.identityProviderAlias === brokerAlias),
    ).toBe(true)
    const username = realm.identityProviderMappers.find(({ name }) => name === 'username')
    expect(username?.config.template).toMatch(/^\$\{ALIAS\}\.\$\{CLAIM\.sub\}$/)
    expect([realm.duplicateEmailsAllowed, realm.loginWithEmailAllowed]).toEqual([true, false])
  })

  it('leads through a login at the IDP to the claims of our Bearer tokens', async () => {
    const { system, redirectUri, realm, broker } = await startIdp()
    const { config } = broker
    const provider = new client.Configuration(
      {
        issuer: config.issuer ?? '',
        authorization_endpoint: config.authorizationUrl ?? '',
        token_endpoint: config.tokenUrl ?? '',
        jwks_uri: config.jwksUrl ?? '',
      },
      config.clientId ?? '',
      { id_token_signed_response_alg: 'RS256' },
      client.ClientSecretBasic(config.clientSecret ?? ''),
    )
    client.allowInsecureRequests(provider)
    client.enableNonRepudiationChecks(provider)
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
    const url = client.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUri,
      scope: config.defaultScope ?? '',
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: config.pkceMethod ?? '',
    })
    const { browser } = await system.beginLogin()
    const page = await browser.get(url.href)
    await system.present(linkOf(page))
    const answered = await fetch(page.url, {
      headers: { cookie: browser.cookiesFor(page.url) },
      redirect: 'manual',
    })
    const resume = new URL(answered.headers.get('location') ?? '', page.url).href
    const headers = { cookie: browser.cookiesFor(resume) }
    const back =
      (await fetch(resume, { headers, redirect: 'manual' })).headers.get('location') ?? ''
    const tokens = await client.authorizationCodeGrant(provider, new URL(back), {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
      idTokenExpected: true,
    })
    const claims: Readonly<Record<string, unknown>> = { ...tokens.claims() }
    const user = Object.fromEntries(
      realm.identityProviderMappers.flatMap(({ config: { claim, 'user.attribute': attribute } }) =>
        claim && attribute ? [[attribute, claims[claim]]] : [],
      ),
    )
    const bearer = Object.fromEntries(
      realm.clients[0].protocolMappers.flatMap(
        ({ config: { 'claim.name': claim, 'user.attribute': attribute } }) =>
          claim && attribute ? [[claim, user[attribute]]] : [],
      ),
    )
    const own = await ownBroker(system.baseUrl)
    // Keycloak makes name out of two others, and the user name by itself.
    const { name: _, preferred_username: __, ...expected } = mapClaims(own.mappers, claims)
    expect(bearer).toEqual(expected)
    expect(bearer).toMatchObject({ given_name: 'Ana', family_name: 'Ruiz' })
  })

  it('declares the attributes that its mappers set, which Keycloak would otherwise drop', () => {
    const realm = fillIn({})
    const [component] = realm.components['org.keycloak.userprofile.UserProfileProvider'] ?? []
    const profile = JSON.parse(component?.config['kc.user.profile.config']?.[0] ?? '{}')
    const declared = profile.attributes.map(({ name }: { name: string }) => name)
    const filled = realm.identityProviderMappers.flatMap(
      ({ config }) => config['user.attribute'] ?? [],
    )
    expect(declared).toEqual(expect.arrayContaining(filled))
  })

  it('reads the environment variables in its guide, and has the file name that Keycloak requires', () => {
    const ofKeycloak = ['ALIAS', 'username', 'email', 'firstName', 'lastName']
    const used = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? '')
    const asked = new Set(used.filter((name) => !ofKeycloak.includes(name)))
    const table = guide.split('\n').filter((line) => line.trimStart().startsWith('| `'))
    const listed = table.flatMap((line) =>
      [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''),
    )
    expect(new Set(listed)).toEqual(asked)
    expect(guide).toContain(`${fillIn({}).realm}-realm.json`)
    expect(guide).toContain(`/realms/${fillIn({}).realm}/broker/${brokerAlias}/endpoint`)
  })
})

// Records of what was decided or changed keep the commands of their time.
const currentPages = pages.filter((page) => !/^(CHANGELOG\.md|docs\/adr\/)/.test(page))

const program = createProgram()
for (const name of commandNames()) await addCommand(program, name)

/** The shell commands in the code blocks of a page that call the program, without what surrounds it. */
function callsIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^ *```(?:sh|)\n([\s\S]*?)^ *```/gm)]
    .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split(/\n|\||&&/))
    .map((line) => line.replace(/( #| {3,}).*/, ''))
    .flatMap(
      (line) =>
        /^\s*(?:\w+=\S+ )*(?:npx (?:--no )?lear-testbed|bin\/testbed|testbed) (\w.*)$/.exec(
          line,
        )?.[1] ?? [],
    )
}

/** Names of the call that the program does not know. */
function unknownIn(call: string): string[] {
  const words: readonly string[] = call.match(/'[^']*'|"[^"]*"|\S+/g) ?? []
  let command: Command = program
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word)
    if (next === undefined) break
    command = next
  }
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0
  if (command === program || (isGroup && !words.includes('--help'))) {
    return [words[0] ?? '']
  }
  const known = [...program.options, ...command.options, ...(command.parent?.options ?? [])]
  return words
    .map((word) => word.split('=')[0] ?? '')
    .filter((word) => word.startsWith('--') && word !== '--help')
    .filter((word) => !known.some(({ long }) => long === word))
}

describe('the commands in the documentation', () => {
  const calls = currentPages.flatMap((page) => callsIn(page).map((call) => ({ page, call })))

  it('are many', () => {
    expect(calls.length).toBeGreaterThan(50)
  })

  it.each(calls)('$page: the program knows $call', ({ call }) => {
    expect(unknownIn(call)).toEqual([])
  })
})

describe('the documentation of a clone without the site', () => {
  const server = createServer()
  let address: string

  beforeAll(async () => {
    const folder = resolve(import.meta.dirname, '../../docs')
    const documentation = serveDocumentation({ folder, start: 'README.md' })
    server.on('request', express().use(serveAssets(), documentation))
    address = await listenOn(server)
  })

  afterAll(() => closeServer(server))

  const get = async (path: string) => {
    const response = await fetch(`${address}${path}`, { redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  it('is pages whose paragraphs and headings links lead to', async () => {
    const { status, headers, text } = await get('/docs/profile/verifier')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
    expect(text).toContain(
      '<a id="1.resources-and-their-fields/presentation-authorization-request.4"></a>',
    )
    const concepts = await get('/docs/concepts/conformance.md')
    expect(concepts.text).toContain('<h2 id="why-checks-have-mutants">')
  })

  it.each(['profile/issuer', 'reference/conformance-checks'])(
    'is accessible, also by keyboard: %s',
    async (name) => {
      const page = await (await openBrowser()).newPage()
      await page.goto(`${address}/docs/${name}`)
      await expectAccessible(page)
    },
  )

  it('begins with the overview, and shows its pictures', async () => {
    const { status, headers } = await get('/docs/')
    expect([status, headers.get('location')]).toEqual([302, '/docs/README.md'])
    expect((await get('/docs/pictures/tour.webp')).headers.get('content-type')).toBe('image/webp')
  })

  it('links to its own pages and to other sites, but to no file that is not served', async () => {
    const { text } = await get('/docs/README.md')
    expect(text).toContain('<a href="guides/test-my-wallet.md">')
    expect(text).toContain('Start with the README.')
    expect((await get('/docs/releasing.md')).text).toMatch(/<a href="https?:/)
  })

  it.each([
    '/docs/nothing',
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e/package.json',
    '/docs/.vitepress/config.mjs',
  ])('serves nothing at %s', async (path) => {
    expect((await get(path)).status).toBe(404)
  })
})
