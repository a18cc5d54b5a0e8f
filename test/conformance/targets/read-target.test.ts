import { chmodSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type PlanName, planNames } from '#conformance/kit/check.ts'
import { readExample, readTarget } from '#conformance/targets/read-target.ts'
import { nearestName } from '#conformance/targets/target-problem.ts'
import {
  alternativesOf,
  shapeOf,
  type TargetShape,
  targetSchemaOf,
} from '#conformance/targets/target-shape.ts'
import type { TestbedError } from '#core/errors/testbed-error.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { exitCodeOf } from '#testbed/command-line/exit-codes.ts'

const nodeFolder = dirname(process.execPath)

function writeTarget(text: string) {
  const folder = createTemporaryFolder()
  const path = join(folder, 'target.yaml')
  writeFileSync(path, text)
  return { folder, path }
}

interface ReadOptions {
  readonly plan?: PlanName
  readonly environment?: Readonly<Record<string, string>>
  /** Files next to the target. */
  readonly files?: Readonly<Record<string, string>>
}

async function read(
  text: string,
  { plan = 'wallet', environment = {}, files = {} }: ReadOptions = {},
) {
  const { folder, path } = writeTarget(text)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return readTarget<Record<string, unknown>>(path, plan, { PATH: nodeFolder, ...environment })
}

/** What is printed of a file that can't be taken, without the folder's name. */
async function problemsOf(text: string, options: ReadOptions = {}): Promise<string[]> {
  const error = await read(text, options).then(
    () => undefined,
    (thrown: TestbedError) => thrown,
  )
  expect(error?.code).toBe('invalid_target')
  const { hints = [] } = error ?? {}
  return hints.map((hint) => hint.replaceAll(/\S*\/(?=target\.yaml)/g, ''))
}

const byCommand = `plan: wallet
name: My wallet
adapter:
  type: command
  accept-offer: node wallet.mjs accept {link} --pin {pin}
  present: node wallet.mjs present {link}
`
const files = { 'wallet.mjs': '' }

describe('a valid target', () => {
  it('runs its commands in its folder, with the environment that they need', async () => {
    const environment = { HOME: '/home/ana', SECRET_OF_OTHERS: 'not for them' }
    const { target, secrets } = await read(byCommand, { files, environment })
    expect(target).toMatchObject({ plan: 'wallet', name: 'My wallet' })
    const { adapter } = target as { adapter: Record<string, unknown> }
    expect(adapter['accept-offer']).toEqual({
      command: 'node wallet.mjs accept {link} --pin {pin}',
      folder: expect.stringMatching(/^\//),
      environment: { PATH: nodeFolder, HOME: '/home/ana' },
    })
    expect(secrets).toEqual([])
  })

  it('reads secrets from environment variables, and lists them', async () => {
    const text = `plan: wallet
name: My wallet
adapter:
  type: http
  url: http://127.0.0.1:4100
  headers:
    authorization: Bearer $WALLET_TOKEN
    x-note: costs $$5
`
    const { target, secrets } = await read(text, { environment: { WALLET_TOKEN: 's3cret' } })
    expect(target.adapter).toMatchObject({
      headers: { authorization: 'Bearer s3cret', 'x-note': 'costs $5' },
    })
    expect(secrets).toEqual(['s3cret'])
  })

  it('does not replace a dollar sign in members that are not secret', async () => {
    const text = byCommand.replace('name: My wallet', 'name: A wallet for $HOME')
    const { target } = await read(text, { files, environment: { HOME: '/home/ana' } })
    expect(target.name).toBe('A wallet for $HOME')
  })
})

describe('each problem of a target is reported with its line', () => {
  it('all problems together, in the order of the lines', async () => {
    const problems = await problemsOf(
      `plan: wallet
name: 12
adaptor:
  type: command
kit:
  port: 70000
  publicURL: http://192.168.1.20:4700
  bind:
`,
    )
    expect(problems).toEqual([
      `target.yaml:2:7: name must be a string, but is a number
    2 | name: 12
      |       ^
      = Put it into quotes: "12"`,
      `target.yaml:3:1: adaptor is unknown
    3 | adaptor:
      | ^
      = Did you mean adapter?`,
      `target.yaml:6:9: kit.port must be at most 65535
    6 |   port: 70000
      |         ^
      = For example 4700`,
      `target.yaml:7:3: kit.publicURL is unknown
    7 |   publicURL: http://192.168.1.20:4700
      |   ^
      = Did you mean publicUrl?`,
      `target.yaml:8:8: kit.bind must be a string, but is nothing
    8 |   bind:
      |        ^
      = For example 0.0.0.0`,
    ])
  })

  it('missing members, with what to write', async () => {
    expect(await problemsOf('plan: wallet\nname: My wallet\nadapter:\n  type: http\n')).toEqual([
      `target.yaml:3:1: adapter.url is missing
    3 | adapter:
      | ^
      = Add it, for example url: http://127.0.0.1:4100 (Base address of the verbs.)`,
    ])
  })

  it('an unknown type', async () => {
    expect(await problemsOf('plan: wallet\nname: My wallet\nadapter: { type: comand }\n')).toEqual([
      `target.yaml:3:18: adapter.type must be command or http or person
    3 | adapter: { type: comand }
      |                  ^
      = Did you mean command?`,
    ])
  })

  it('a member that the chosen type does not have', async () => {
    const text =
      'plan: wallet\nname: My wallet\nadapter:\n  type: person\n  url: http://x.example\n'
    expect(await problemsOf(text)).toEqual([
      `target.yaml:5:3: adapter.url is unknown
    5 |   url: http://x.example
      |   ^
      = Available: type, timeoutSeconds.`,
    ])
  })

  it('a verb that is neither a command nor a call', async () => {
    const text = byCommand.replace('present: node wallet.mjs present {link}', 'present: [node]')
    expect(await problemsOf(text, { files })).toEqual([
      `target.yaml:6:12: adapter.present must be a command line, or a mapping with command, or a mapping with url
    6 |   present: [node]
      |            ^
      = For example node my-wallet.mjs present {link}`,
    ])
  })

  it('a target of another plan, without further problems', async () => {
    expect(await problemsOf('plan: verifier\nnam: x\n')).toEqual([
      `target.yaml:1:7: plan is verifier, not wallet
    1 | plan: verifier
      |       ^
      = Run the verifier plan with this file: bin/testbed conformance verifier --target FILE`,
    ])
  })

  it('a missing program, a missing script, and an unclosed quote', async () => {
    const text = `plan: wallet
name: My wallet
adapter:
  type: command
  accept-offer: my-wallet-that-is-nowhere accept {link}
  present: node missing.mjs {link}
  list: node "wallet.mjs
  reset: ./not-executable.sh
`
    const [program, script, quote, file] = await problemsOf(text, {
      files: { ...files, 'not-executable.sh': '' },
    })
    expect(
      program,
    ).toBe(`target.yaml:5:17: adapter.accept-offer names the program my-wallet-that-is-nowhere, which is not in PATH
    5 |   accept-offer: my-wallet-that-is-nowhere accept {link}
      |                 ^`)
    expect(script).toMatch(
      /^target\.yaml:6:12: adapter\.present names a file that does not exist: \/.*missing\.mjs\n/,
    )
    expect(quote).toMatch(/^target\.yaml:7:9: adapter\.list has an unclosed quote\n/)
    expect(file).toMatch(
      /^target\.yaml:8:10: adapter\.reset names a program that does not exist or is not executable: \//,
    )
  })

  it('a program next to the file is found', async () => {
    const text = byCommand.replaceAll('node wallet.mjs', './wallet.sh')
    const { folder, path } = writeTarget(text)
    writeFileSync(join(folder, 'wallet.sh'), '#!/bin/sh\n')
    chmodSync(join(folder, 'wallet.sh'), 0o700)
    await expect(readTarget(path, 'wallet', {})).resolves.toBeDefined()
  })

  it('an unknown placeholder', async () => {
    const text = byCommand.replace('{pin}', '{pim}').replace('present {link}', 'present {pin}')
    expect(await problemsOf(text, { files })).toEqual([
      `target.yaml:5:17: adapter.accept-offer has the placeholder {pim}, which does not exist
    5 |   accept-offer: node wallet.mjs accept {link} --pin {pim}
      |                 ^
      = Did you mean {pin}?`,
      `target.yaml:6:12: adapter.present has the placeholder {pin}, which does not exist
    6 |   present: node wallet.mjs present {pin}
      |            ^
      = Available: {link}.`,
    ])
  })

  it('a private key that no account has', async () => {
    const environment = {
      TIR_API_KEY: 'x',
      ONBOARDING_NODE_KEY: 'secret',
      OPERATOR_KEY: `0x${'0'.repeat(64)}`,
    }
    expect(await problemsOf(await readExample('tir'), { plan: 'tir', environment })).toEqual([
      `target.yaml:22:15: onboardingNode.privateKey is not a private key
    22 |   privateKey: $ONBOARDING_NODE_KEY
       |               ^
       = Use 0x and 64 hex digits, on the curve secp256k1.`,
      expect.stringContaining('target.yaml:26:15: operator.privateKey is not a private key'),
    ])
  })

  it('an environment variable that is not set, or empty', async () => {
    const text = `plan: wallet
name: My wallet
adapter:
  type: http
  url: http://127.0.0.1:4100
  headers:
    authorization: Bearer $WALLET_TOKEN
    x-api-key: $WALLET_KEY
`
    expect(await problemsOf(text, { environment: { WALLET_KEY: '' } })).toEqual([
      `target.yaml:7:20: adapter.headers.authorization reads $WALLET_TOKEN from the environment, but it is not set
    7 |     authorization: Bearer $WALLET_TOKEN
      |                    ^
      = Set it: export WALLET_TOKEN=…`,
      `target.yaml:8:16: adapter.headers.x-api-key reads $WALLET_KEY from the environment, but it is empty
    8 |     x-api-key: $WALLET_KEY
      |                ^
      = Set it: export WALLET_KEY=…`,
    ])
  })

  it('a secret in the file is not shown', async () => {
    const text = `plan: idp
name: My IDP
issuer: https://idp.example
client: { clientId: a, clientSecret: very-secret, redirectURI: http://127.0.0.1:9/a }
`
    const problems = await problemsOf(text, { plan: 'idp' })
    expect(problems.join('\n')).toContain('client.redirectURI is unknown')
    expect(problems.join('\n')).toContain('clientSecret: •••, redirectURI')
    expect(problems.join('\n')).not.toContain('very-secret')
  })

  const key = `0x${'4c'.repeat(32)}`
  it.each([
    ['of an unknown member', `baseUrl: http://x.example\nowner: ${key}\n`],
    [
      'of a misspelt member',
      `baseUrl: http://x.example\nonboardingNode: { privatKey: "${key}" }\n`,
    ],
    ['that YAML reads as a number', `baseUrl: 7\nonboardingNode: { privateKey: ${key} }\n`],
    ['in invalid YAML', `baseUrl: http://x.example\nonboardingNode: { privateKey: ${key} }: x }\n`],
    ['next to a tab', `onboardingNode:\n\tprivateKey: ${key}\n`],
    ['without its prefix', `onboardingNode:\n  privateKey: [${key.slice(2)}]\n`],
    ['that is a token', `onboardingNode: eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJl\n`],
    ['that is PEM', 'onboardingNode: "-----BEGIN PRIVATE KEY----- MC4CAQAwBQ"\n'],
  ])('a private key or token %s is not shown', async (_what, text) => {
    const hints = await problemsOf(`plan: did-registry\nname: x\n${text}`, { plan: 'did-registry' })
    const shown = hints.join('\n')
    expect(shown).toContain('•••')
    expect(shown).not.toMatch(/4c4c|3\.4508|c2lnbmF0|MC4CAQ/)
  })

  it('a state or code with two meanings', async () => {
    const poll = (states: string) => `plan: verifier
name: My verifier
request: { call: { url: "http://127.0.0.1:1/s" }, session: $.id }
verdict:
  response: { accepted: [200, 400], refused: [400] }
  poll:
    url: http://127.0.0.1:1/s/{session}
    path: $.status
${states}`
    const states = '    accepted: [OK]\n    refused: [NO, OK]\n    pending: [NO]\n'
    const problems = await problemsOf(poll(states), { plan: 'verifier' })
    expect(problems.map((each) => each.split('\n')[0])).toEqual([
      'target.yaml:5:46: verdict.response.refused must not contain 400, which is in accepted as well',
      'target.yaml:10:14: verdict.poll.refused must not contain OK, which is in accepted as well',
      'target.yaml:11:14: verdict.poll.pending must not contain NO, which is in refused as well',
    ])
    const verb = byCommand.replace(
      'present: node wallet.mjs present {link}',
      'present: { command: node wallet.mjs, exitCodes: { done: [0], refused: [1, 0] } }',
    )
    expect((await problemsOf(verb, { files }))[0]).toContain(
      'adapter.present.exitCodes.refused must not contain 0, which is in done as well',
    )
  })

  it('a verdict of a session that the request does not provide', async () => {
    const text = `plan: verifier
name: My verifier
request: { page: "http://127.0.0.1:1/login" }
verdict:
  poll: { url: "http://127.0.0.1:1/{session}", path: $.s, accepted: [OK], refused: [NO] }
`
    expect((await problemsOf(text, { plan: 'verifier' }))[0]).toContain(
      'verdict.poll uses {session}, but request.session does not say where the session id is',
    )
  })

  it.each([
    ['node wallet.mjs accept {link} | tee log', '|'],
    ['node wallet.mjs accept {link} && echo done', '&&'],
    ['node wallet.mjs accept {link}; true', ';'],
    ['node wallet.mjs accept {link} > log', '>'],
    ['node wallet.mjs accept {link} 2>log', '2>'],
    ['node wallet.mjs accept $(cat key)', '$('],
    ['node wallet.mjs accept `cat key`', '`'],
    ['node wallet.mjs accept $HOME {link}', '$HOME'],
    ['~/wallet accept {link}', '~'],
    ['DEBUG=1 node wallet.mjs accept {link}', 'DEBUG='],
  ])('shell syntax in a command: %s', async (command, found) => {
    const text = byCommand.replace('node wallet.mjs present {link}', () => `'${command}'`)
    expect((await problemsOf(text, { files }))[0]?.split('\n')[0]).toBe(
      `target.yaml:6:12: adapter.present contains ${found}, which only a shell understands: no shell runs it, so put the line into a script`,
    )
  })

  it.each([
    'node wallet.mjs "a | b; c" {link}',
    "node wallet.mjs --filter='$.x > 1' {link}",
    'node wallet.mjs --url http://127.0.0.1:1/?a=1&b=2 {link}',
    'node wallet.mjs --name=value {link}',
  ])('but no character that the command itself gets: %s', async (command) => {
    const text = byCommand.replace('node wallet.mjs present {link}', () => `>-\n    ${command}`)
    await expect(read(text, { files })).resolves.toBeDefined()
  })

  it('a certificate file that is missing, or contains none', async () => {
    const text = `${byCommand}tls: { ca: ca.pem }\n`
    expect((await problemsOf(text, { files }))[0]).toMatch(
      /^target\.yaml:7:12: tls\.ca names a file that cannot be read: \/.*ca\.pem\n/,
    )
    const problems = await problemsOf(text, { files: { ...files, 'ca.pem': 'no certificate' } })
    expect(problems[0]).toMatch(/^target\.yaml:7:12: tls\.ca names a file without a certificate/)
  })
})

describe('invalid YAML, or more than a target needs, is rejected', () => {
  it('a duplicate member', async () => {
    expect(await problemsOf('plan: wallet\nname: One\nname: Two\n')).toEqual([
      `target.yaml:3:1: a member occurs twice
    3 | name: Two
      | ^
      = Keep one of them.`,
    ])
  })

  it('a tab', async () => {
    expect(await problemsOf('plan: wallet\nkit:\n\tport: 1\n')).toContain(
      `target.yaml:3:1: a tab indents this line
    3 |  port: 1
      | ^
      = Indent with spaces.`,
    )
  })

  it('a placeholder in braces without quotes, once for its line', async () => {
    const text =
      'plan: wallet\nname: One\nadapter: { accept-offer: my-wallet {link}, present: x {link} }\n'
    expect(await problemsOf(text)).toEqual([
      `target.yaml:3:36: this is not valid YAML: Unexpected flow-map-start at node end
    3 | adapter: { accept-offer: my-wallet {link}, present: x {link} }
      |                                    ^
      = If a value contains any of { } [ ] , : #, put it into quotes.`,
    ])
  })

  it('anchors and aliases, which could expand without limit', async () => {
    const bomb = [
      'a: &a [x, x]',
      ...'bcdefghij'.split('').map((name, index) => {
        const before = 'abcdefghi'.charAt(index)
        return `${name}: &${name} [*${before}, *${before}, *${before}, *${before}]`
      }),
    ]
    const problems = await problemsOf(`${bomb.join('\n')}\n`)
    expect(problems[0]).toBe(`target.yaml:1:7: YAML anchors and aliases are not supported
    1 | a: &a [x, x]
      |       ^
      = Write the value itself.`)
  })

  it('tags, a second document, a list, an empty file', async () => {
    const first = async (text: string) => (await problemsOf(text))[0]?.split('\n')[0]
    expect(await first('plan: !!js/function x\n')).toContain('YAML tags are not supported')
    expect(await first('plan: wallet\n---\nplan: wallet\n')).toContain(
      'a second document begins here',
    )
    expect(await first('- plan: wallet\n')).toContain('a target file must be a mapping')
    expect(await first('')).toContain('a target file must be a mapping')
    expect(await first('plan: [wallet\n')).toContain('this is not valid YAML')
  })

  it('control characters of the file do not reach the terminal', async () => {
    const problems = await problemsOf('plan: wallet\nnames: "\u001b[31mred"\n')
    expect(problems.join('\n')).not.toContain('\u001b')
  })

  it('a missing or too long file, with a hint how to begin', async () => {
    await expect(readTarget('/nowhere/target.yaml', 'wallet', {})).rejects.toMatchObject({
      code: 'invalid_target',
      message: 'The target file /nowhere/target.yaml does not exist.',
      hints: ['bin/testbed conformance wallet --example prints a file to fill in.'],
    })
    await expect(read(`# ${'x'.repeat(300_000)}\n`)).rejects.toMatchObject({
      code: 'invalid_target',
    })
  })
})

it('ends the command with the exit code for an invalid configuration', async () => {
  const error = await read('plan: wallet\n').catch((thrown: unknown) => thrown)
  expect(exitCodeOf(error, 1)).toBe(2)
})

/** The names of all members at any depth, without the forms of a verb. */
const membersOf = (shape: TargetShape): string[] =>
  shape.verb
    ? []
    : alternativesOf(shape).flatMap(({ properties = {} }) =>
        Object.entries(properties).flatMap(([name, member]) => [name, ...membersOf(member)]),
      )

describe.each(planNames)('the example of the plan %s', (plan) => {
  /** Reads it where the programs and variables are that it names. */
  async function read(text: string, plan: (typeof planNames)[number]) {
    const folder = createTemporaryFolder()
    for (const [, program = ''] of text.matchAll(/node ([\w-]+\.mjs)/g)) {
      writeFileSync(join(folder, program), '')
    }
    writeFileSync(join(folder, 'ca.pem'), '-----BEGIN CERTIFICATE-----')
    const variables = [...text.matchAll(/\$([A-Z_]+)/g)].map(([, name = '']) => [
      name,
      // A member such as onboardingNode.privateKey must be the key of an account.
      name.endsWith('_KEY') ? `0x${'1'.repeat(64)}` : `of ${name}`,
    ])
    const path = join(folder, 'target.yaml')
    writeFileSync(path, text)
    const environment = { PATH: dirname(process.execPath), ...Object.fromEntries(variables) }
    return readTarget<Record<string, unknown>>(path, plan, environment).catch(
      ({ message, hints }: TestbedError) => {
        // Which line it is, and not only that there is one.
        throw new Error([message, ...hints].join('\n'))
      },
    )
  }

  it('is a valid target unchanged', async () => {
    expect((await read(await readExample(plan), plan)).target).toMatchObject({ plan })
  })

  it('is a valid target with all optional members, and omits none', async () => {
    const text = (await readExample(plan)).replace(/^#(?! \S)/gm, '')
    expect((await read(text, plan)).target).toMatchObject({ plan })
    const known = membersOf(shapeOf(await targetSchemaOf(plan)))
    const left = known.filter((name) => !new RegExp(`\\b${name}:`).test(text))
    // A program of the target is shown if the kit has addresses to pass to it.
    expect(left.filter((name) => name !== 'start')).toEqual([])
  })

  it('contains no secret', async () => {
    expect(await readExample(plan)).not.toMatch(/(?:privateKey|Secret|apiKey|api-key): (?!\$)/)
  })
})

const names = ['plan', 'name', 'description', 'publicUrl', 'accept-offer', 'timeoutSeconds']

describe('the suggested name', () => {
  it.each([
    ['nmae', 'name'],
    ['names', 'name'],
    ['publicURL', 'publicUrl'],
    ['public_url', 'publicUrl'],
    ['accept_offer', 'accept-offer'],
    ['acceptOffer', 'accept-offer'],
    ['timeout', undefined],
    ['descripton', 'description'],
    ['x', undefined],
    ['', undefined],
  ])('%j is %j', (name, meant) => {
    expect(nearestName(name, names)).toBe(meant)
  })
})
