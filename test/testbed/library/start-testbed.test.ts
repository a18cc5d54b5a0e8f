import { describe, expect, it } from 'vitest'
import { startTestbed } from '#testbed/library/start-testbed.ts'

describe('the options of startTestbed', () => {
  it.each([
    [{ environments: ['dev'] }, 'environments.0'],
    [{ environments: [] }, 'environments'],
    [{ environments: 'pre' }, 'environments'],
    [{ portBase: '4000' }, 'portBase'],
    [{ portBase: 80_000 }, 'portBase'],
    [{ portBase: 80 }, 'portBase must be 0 or at least 1024'],
    [{ mining: 'fast' }, 'mining'],
    [{ holderSuites: ['RS256'] }, 'holderSuites.0'],
    [{ dataFolder: '' }, 'dataFolder'],
    [{ sed: 'misspelled' }, 'sed'],
    [{ chainRpcUrl: 'localhost:8545' }, 'chain-rpc'],
  ])('are checked without TypeScript: %j', async (options, named) => {
    await expect(startTestbed(options as object)).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(named),
    })
  })
})
