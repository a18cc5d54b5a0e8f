import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Transaction } from 'ethers'
import { calculateJwkThumbprint } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRpc } from '#test/support/chain.ts'
import { createDidKey } from '#test/support/create-did-key.ts'
import { runCommand } from '#test/support/processes.ts'
import { type DidDocumentJson, startRegistries } from '#test/support/registries.ts'
import { findFreePorts } from '#test/support/servers.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

/** A folder in which `testbed did …` runs, as for its user; removed after the running test. */
function createDidCommands() {
  const cwd = createTemporaryFolder()
  const did = (args: readonly string[], input?: string) =>
    runCommand(['did', ...args], {
      cwd,
      ...(input === undefined ? {} : { input: Buffer.from(input) }),
    })
  return {
    cwd,
    did,
    /** Runs with `--json`; returns stdout if the command succeeds. */
    json: async (args: readonly string[], input?: string) => {
      const { stdout, exitCode, stderr } = await did([...args, '--json'], input)
      expect(exitCode, stderr).toBe(0)
      return JSON.parse(stdout)
    },
    /** Writes a file with the private key of a label; returns its name. */
    keyFile: (label: string) => {
      writeFileSync(join(cwd, `${label}.key`), createDidKey(label).wallet.privateKey)
      return `${label}.key`
    },
    /** Writes a file with a value as JSON; returns its name. */
    fileWith: (name: string, content: unknown) => {
      writeFileSync(join(cwd, name), JSON.stringify(content))
      return name
    },
  }
}

/** Returns the digits of a private key, to search for leaks. */
const digitsOf = (key: string) => key.replace(/^0x/, '')

describe('testbed did keys', () => {
  it('creates a new key, stored in a separate file and never printed', async () => {
    const { cwd, did, json } = createDidCommands()
    const made = await did(['keys', '--out', 'new.json'])
    expect(made.exitCode, made.stderr).toBe(0)
    const kept = JSON.parse(readFileSync(join(cwd, 'new.json'), 'utf8'))
    expect(statSync(join(cwd, 'new.json')).mode & 0o777).toBe(0o600)
    expect(made.stdout + made.stderr).not.toContain(digitsOf(kept.privateKey))
    const { privateKey: _, ...rest } = kept
    const shown = await json(['keys', '--key-file', 'new.json'])
    expect(shown).toEqual(rest)
    expect(await calculateJwkThumbprint(shown.publicKeyJwk)).toBe(shown.vMethodId)
    const hexJwk = Buffer.from(shown.publicKeyHexJwk.slice(2), 'hex').toString('utf8')
    expect(JSON.parse(hexJwk)).toEqual(shown.publicKeyJwk)

    const again = await did(['keys', '--out', 'new.json'])
    expect(again).toMatchObject({ exitCode: 2, stdout: '' })
    expect(JSON.parse(readFileSync(join(cwd, 'new.json'), 'utf8'))).toEqual(kept)
  })

  it('does not create a key that would be lost, and prints a key only if requested', async () => {
    const { did, json } = createDidCommands()
    expect(await did(['keys'])).toMatchObject({ exitCode: 2, stdout: '' })
    const { privateKey } = await json(['keys', '--show-private-key'])
    expect(privateKey).toMatch(/^0x[0-9a-f]{64}$/)
  })
})

interface Vector {
  readonly privateKey: string
  readonly publicKey: string
  readonly address: string
  readonly vMethodId: string
  readonly proof: string
  readonly did: string
}

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../../../core/did/vectors/did-proof.json', import.meta.url), 'utf8'),
)

describe('testbed did create', () => {
  for (const { privateKey, ...expected } of vectors) {
    // @row 2.endpoints/did-registry.17 2.endpoints/did-registry.20
    it(`returns the known answer for ${expected.did}, regardless of the source of the key`, async () => {
      const { json, fileWith } = createDidCommands()
      const jwk = {
        kty: 'EC',
        crv: 'secp256k1',
        d: Buffer.from(digitsOf(privateKey), 'hex').toString('base64url'),
      }
      const answers = await Promise.all([
        json(['create', '--private-key', privateKey]),
        json(['create', '--key-file', '-'], `${digitsOf(privateKey)}\n`),
        json(['create', '--key-file', fileWith('key.json', { privateKey })]),
        json(['create', '--key-file', fileWith('jwk.json', jwk)]),
      ])
      for (const answer of answers) expect(answer).toEqual(expected)
    })
  }

  it('creates DIDs of the selected environment', async () => {
    const { json, keyFile } = createDidCommands()
    const { did } = await json(['create', '--env', 'pro', '--key-file', keyFile('somebody')])
    expect(did).toBe(createDidKey('somebody', 'did:org:uc:').did)
  })

  it('rejects an invalid key, or two keys, as wrong usage, and never repeats it', async () => {
    const keys = [
      { args: [] },
      { args: ['--private-key', 'abc123abc123'] },
      { args: ['--private-key', `0x${'0'.repeat(64)}`] },
      // The order of the group: the first number that is no longer a valid key.
      {
        args: [
          '--private-key',
          '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
        ],
      },
      { args: ['--key-file', 'nowhere'] },
      { args: ['--private-key', `0x${'1'.repeat(64)}`, '--key-file', '-'] },
    ]
    const { did } = createDidCommands()
    const outcomes = await Promise.all(keys.map(({ args }) => did(['create', ...args])))
    outcomes.forEach((outcome, index) => {
      expect(outcome, `case ${index}`).toMatchObject({ exitCode: 2, stdout: '' })
      const [option, given = ''] = keys[index]?.args ?? []
      if (option === '--private-key') expect(outcome.stderr).not.toContain(digitsOf(given))
    })
  })
})

describe('testbed did sign', async () => {
  const organization = 'urn:oid:organizationIdentifier:VATES-A12345678'

  const registries = await startRegistries()

  const build = async (label: string) => {
    const key = createDidKey(label)
    const answer = await registries.didRegistry.build('insertFirstDidDocument', {
      ...registries.didRegistry.firstDocumentOf(key),
    })
    return answer.body
  }

  // @row 2.what-the-service-does.1 2.resources-and-their-fields/unsigned-transaction.1..9
  it('signs a transaction of the registry so that a third-party library recovers signer and content', async () => {
    const { did, json, keyFile, fileWith } = createDidCommands()
    const unsigned = await build('signed offline')
    const key = ['--key-file', keyFile('onboarding node')]
    const { stdout, exitCode, stderr } = await did(['sign', fileWith('tx.json', unsigned), ...key])
    expect(exitCode, stderr).toBe(0)
    const transaction = Transaction.from(stdout.trim())
    expect(transaction.from).toBe(unsigned.from)
    expect(transaction.to?.toLowerCase()).toBe(unsigned.to.toLowerCase())
    expect(transaction.data).toBe(unsigned.data)
    expect(transaction.chainId).toBe(BigInt(unsigned.chainId))
    expect(transaction.nonce).toBe(Number(unsigned.nonce))
    expect(transaction.gasLimit).toBe(BigInt(unsigned.gasLimit))
    expect(transaction.gasPrice).toBe(BigInt(unsigned.gasPrice))
    expect(transaction.value).toBe(0n)

    // In plain words, on stderr: the function, its arguments, chain and contract.
    expect(stderr).toContain('insertFirstDidDocument')
    expect(stderr).toContain(createDidKey('signed offline').did)
    expect(stderr).toContain(organization)
    expect(stderr).toContain(BigInt(unsigned.chainId).toString())
    expect(stderr.toLowerCase()).toContain(unsigned.to.toLowerCase())

    // From stdin, as a JSON-RPC answer; the parts are those of the whole.
    const parts = await json(['sign', '-', ...key], JSON.stringify({ id: 1, result: unsigned }))
    expect(parts.signedRawTransaction).toBe(stdout.trim())
    expect(parts.hash).toBe(transaction.hash)
    expect(parts.unsignedTransaction).toEqual(unsigned)
    expect([parts.r, parts.s, Number(parts.v)]).toEqual([
      transaction.signature?.r,
      transaction.signature?.s,
      transaction.signature?.v,
    ])
  })

  it('rejects a key that does not match from', async () => {
    const { did, keyFile, fileWith } = createDidCommands()
    const file = fileWith('tx.json', await build('for another signer'))
    const { exitCode, stdout, stderr } = await did(['sign', file, '--key-file', keyFile('thief')])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain(createDidKey('thief').address)
  })

  it('rejects call data that it cannot describe, unless an option allows it', async () => {
    const { did, keyFile, fileWith } = createDidCommands()
    const unsigned = { ...(await build('unknown call')), data: '0xdeadbeef' }
    const args = ['sign', fileWith('tx.json', unsigned), '--key-file', keyFile('onboarding node')]
    expect(await did(args)).toMatchObject({ exitCode: 1, stdout: '' })
    const { stdout } = await did([...args, '--allow-unknown'])
    expect(Transaction.from(stdout.trim()).data).toBe('0xdeadbeef')
  })

  it('rejects an invalid unsigned transaction as wrong usage', async () => {
    const { did } = createDidCommands()
    const args = ['sign', '-', '--private-key', `0x${'1'.repeat(64)}`]
    const inputs = ['nonsense', '{"to":"0x00","data":"0x"}', '']
    const outcomes = await Promise.all(inputs.map((input) => did(args, input)))
    for (const outcome of outcomes) expect(outcome).toMatchObject({ exitCode: 2, stdout: '' })
  })

  it('reads only one input from stdin', async () => {
    const { did } = createDidCommands()
    const input = JSON.stringify(await build('two on stdin'))
    const { exitCode, stderr } = await did(['sign', '-', '--key-file', '-'], input)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('stdin')
  })
})

describe('testbed did register and resolve', async () => {
  const organization = 'urn:oid:organizationIdentifier:VATES-A12345678'
  const alsoKnownAs = ['--also-known-as', organization]

  // Every transaction is answered with 206 if it is not mined immediately.
  const registries = await startRegistries({ didRegistry: { receiptWaitMilliseconds: 0 } })

  const resolve = async (did: string): Promise<DidDocumentJson> =>
    (await registries.didRegistry.resolve(did)).body

  // @row 2.states-and-transitions.1 2.states-and-transitions.8
  it('registers an external key in a third-party registry, ready to issue', async () => {
    const { json, did, keyFile } = createDidCommands()
    const { addresses } = registries
    const subject = createDidKey('a member')
    const where = [...addresses.didRegistry, ...addresses.chain]
    const registered = await json([
      'register',
      ...where,
      '--key-file',
      keyFile('a member'),
      '--signer-key-file',
      keyFile('onboarding node'),
      ...alsoKnownAs,
      '--assertion-method',
    ])
    expect(registered.did).toBe(subject.did)
    const document = await resolve(subject.did)
    expect(document.alsoKnownAs).toEqual([organization])
    expect(document.controller).toEqual([subject.address])
    expect(document.assertionMethod).toEqual([registered.kid])
    for (const hash of registered.transactions) {
      const { result } = await callRpc(registries.chain.rpcUrl, 'eth_getTransactionReceipt', hash)
      expect(result).toMatchObject({ status: '0x1' })
    }

    expect(await json(['resolve', subject.did, ...addresses.didRegistry])).toEqual(document)
    const shown = await did(['resolve', subject.did, ...addresses.didRegistry])
    expect(shown.stdout).toContain(`controlled by ${subject.address}`)
    expect(shown.stdout).toMatch(/key #\S{43} secp256k1: .*assertionMethod/)
    // Before it was registered there was none.
    const earlier = ['--valid-at', '2020-01-01T00:00:00Z']
    const unknown = await did(['resolve', subject.did, ...earlier, ...addresses.didRegistry])
    expect(unknown).toMatchObject({ exitCode: 1, stdout: '' })
    // The DID is registered by now, so the hint does not propose to register it.
    expect(unknown.stderr).toContain('omit --valid-at')
    expect(unknown.stderr).not.toContain('did register')

    const twice = await did([
      'register',
      ...where,
      '--key-file',
      keyFile('a member'),
      '--signer-key-file',
      keyFile('onboarding node'),
      ...alsoKnownAs,
    ])
    expect(twice).toMatchObject({ exitCode: 1, stdout: '' })
    expect(twice.stderr).toContain('already registered')
  })

  it('works in separate steps, with keys that stay offline', async () => {
    const { cwd, json, did, keyFile, fileWith } = createDidCommands()
    const { addresses, chain } = registries
    const created = await json(['create', '--key-file', keyFile('offline member')])
    const unsigned = await json([
      'register',
      ...addresses.didRegistry,
      '--did',
      fileWith('did.json', created),
      '--unsigned',
      '--from',
      chain.node.address,
      ...alsoKnownAs,
    ])
    const key = ['--key-file', keyFile('onboarding node')]
    const signed = await did(['sign', '-', ...key], JSON.stringify(unsigned))
    expect((await registries.didRegistry.resolve(created.did)).status).toBe(404)
    writeFileSync(join(cwd, 'signed'), signed.stdout)
    const sent = await json(['send', 'signed', ...addresses.didRegistry, ...addresses.chain])
    expect(sent).toEqual({ hash: Transaction.from(signed.stdout.trim()).hash, state: 'applied' })
    expect((await resolve(created.did)).controller).toEqual([created.address])
  })

  it('uses registry, chain and onboarding node of the running testbed', async () => {
    const { cwd, did, json, keyFile } = createDidCommands()
    const args = ['register', '--key-file', keyFile('own member'), ...alsoKnownAs]
    // Nothing runs yet.
    expect(await did(args)).toMatchObject({ exitCode: 3, stdout: '' })
    registries.writeTestbedFile(cwd)
    expect(await json(args)).toMatchObject({ did: createDidKey('own member').did })
    expect(await did([...args, '--env', 'pro'])).toMatchObject({ exitCode: 3 })
  })

  it('names the address of a registry that does not answer', async () => {
    const { did } = createDidCommands()
    const url = `http://127.0.0.1:${(await findFreePorts(1))[0]}`
    const found = await did(['resolve', createDidKey('x').did, '--did-registry', url])
    expect(found.stderr).toContain(`Check the address ${url}, or start the testbed`)
  })

  it('reports the error of a reverted transaction', async () => {
    const { did, keyFile } = createDidCommands()
    const { didRegistry, chain } = registries.addresses
    const { exitCode, stdout, stderr } = await did([
      'register',
      ...didRegistry,
      ...chain,
      '--key-file',
      keyFile('unwanted'),
      '--signer-key-file',
      keyFile('no onboarding node'),
      ...alsoKnownAs,
    ])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain('DidRegistryNotOnboardingNode')
  })

  it('reports the error of the registry without private keys', async () => {
    const { did, keyFile } = createDidCommands()
    const outcome = await did([
      'register',
      ...registries.addresses.didRegistry,
      '--key-file',
      keyFile('backwards'),
      '--signer-key-file',
      keyFile('onboarding node'),
      ...alsoKnownAs,
      '--not-before',
      '2000',
      '--not-after',
      '1000',
    ])
    expect(outcome).toMatchObject({ exitCode: 1, stdout: '' })
    expect(outcome.stderr).toContain('validation_error')
    const { privateKey } = createDidKey('backwards').wallet
    expect(outcome.stderr).not.toContain(digitsOf(privateKey))
  })

  it('reports the registry address with a 404, which any server may return', async () => {
    const { did } = createDidCommands()
    const { baseUrl } = registries.tir
    const outcome = await did(['resolve', 'did:org:uc-pre:z1abc', '--did-registry', baseUrl])
    expect(outcome).toMatchObject({ exitCode: 1, stdout: '' })
    expect(outcome.stderr).toContain(`Is ${baseUrl} the DID registry's address?`)
  })

  it('rejects contradictory options as wrong usage', async () => {
    const { did } = createDidCommands()
    const some = 'did:org:uc-pre:z1abc'
    const outcomes = await Promise.all(
      [
        ['resolve', 'did:web:example.org'],
        ['resolve', 'did:org:uc:z1abc', '--env', 'pre'],
        ['resolve', some, '--did-registry', 'nowhere'],
        ['resolve', some, '--valid-at', 'yesterday'],
        ['register', '--also-known-as', 'x'],
        ['resolve', some, '--unknown', 'x'],
      ].map((args) => did(args)),
    )
    outcomes.forEach((outcome, index) => {
      expect(outcome, `case ${index}`).toMatchObject({ exitCode: 2, stdout: '' })
    })
  })

  describe('if transactions are not mined immediately', () => {
    beforeAll(() => registries.chain.chain.setMining('manual'))
    afterAll(() => registries.chain.chain.setMining('auto'))

    /** Mines once the transaction of the onboarding node is waiting. */
    const mineWhenSent = async (): Promise<void> => {
      const { rpcUrl, node, chain } = registries.chain
      const count = async (tag: string) =>
        Number((await callRpc(rpcUrl, 'eth_getTransactionCount', node.address, tag)).result)
      while ((await count('pending')) === (await count('latest')));
      await chain.mine()
    }
    const register = (label: string, ...more: string[]) => {
      const { did, keyFile } = createDidCommands()
      return did([
        'register',
        ...registries.addresses.didRegistry,
        '--key-file',
        keyFile(label),
        '--signer-key-file',
        keyFile('onboarding node'),
        ...alsoKnownAs,
        ...more,
      ])
    }

    // @row 2.states-and-transitions.10 2.endpoints/did-registry.32 2.errors/did-registry.3
    it('waits for the receipt at the chain after a 206', async () => {
      const [outcome] = await Promise.all([
        register('late, seen by receipt', ...registries.addresses.chain),
        mineWhenSent(),
      ])
      expect(outcome.exitCode, outcome.stderr).toBe(0)
      expect(outcome.stdout.trim()).toBe(createDidKey('late, seen by receipt').did)
    })

    // @row 2.endpoints/did-registry.33
    it('reads the DID again after a 206 if no chain is known', async () => {
      const [outcome] = await Promise.all([
        register('late, seen by reading', '--pause-seconds', '1'),
        mineWhenSent(),
      ])
      expect(outcome.exitCode, outcome.stderr).toBe(0)
      expect(outcome.stdout.trim()).toBe(createDidKey('late, seen by reading').did)
    })

    it('gives up after a time limit, and names the transaction that may still be mined', async () => {
      const outcome = await register('never', '--pause-seconds', '1', '--wait-seconds', '1')
      await registries.chain.chain.mine()
      expect(outcome).toMatchObject({ exitCode: 1, stdout: '' })
      expect(outcome.stderr).toMatch(/0x[0-9a-f]{64} was sent/)
    })
  })
})
