import { expect, it } from 'vitest'
import { describeScenarios } from '#testbed/library/vitest.ts'

it('a misspelt option of describeScenarios is reported without TypeScript', async () => {
  const options = { pattern: 'login', reportFoldr: 'reports' }
  await expect(describeScenarios(options)).rejects.toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining('reportFoldr'),
  })
})
