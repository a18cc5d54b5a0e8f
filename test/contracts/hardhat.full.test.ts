import { describe, expect, it } from 'vitest'
import { runHardhat } from '#test/support/run-solidity-tests.ts'

describe('hardhat', { timeout: 300_000 }, () => {
  it('console has a connected ethers and the contracts by name', async () => {
    const input = `
      signer = (await ethers.getSigners())[0]
      deployed = await ethers.deployContract("DidRegistry", [signer.address, "did:org:uc-pre:"])
      attached = await ethers.getContractAt("DidRegistry", deployed.target)
      [await attached.didPrefix(), (await attached.operator()) === signer.address]`
    // In one line, as the console does not wait for the end of one before it reads the next.
    const { stdout, stderr, code } = await runHardhat(
      ['console'],
      `${input.trim().split('\n').join(';')}\n`,
    )
    expect(stdout, stderr).toContain("[ 'did:org:uc-pre:', true ]")
    expect(code).toBe(0)
  })

  it('test runs the Solidity tests, then the TypeScript tests', async () => {
    const grep = 'AHistoryBeginsWithNothing|stores a JWK unchanged'
    const { stdout, stderr, code } = await runHardhat(['test', '--grep', grep])
    expect(stdout, stderr).toMatch(/✔ test_AHistoryBeginsWithNothing\(\).*Tests +1 passed/s)
    expect(code).toBe(0)
  })

  it('test fails if a TypeScript test fails', async () => {
    const { code } = await runHardhat(['test', 'vitest', 'test/contracts/missing.test.ts'])
    expect(code).toBe(1)
  })
})
