import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { AbstractStartedContainer, type StartedTestContainer } from 'testcontainers'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'

/** A testbed that runs in a container. */
export class StartedTestbedContainer extends AbstractStartedContainer {
  readonly #testbedFile: TestbedFile

  constructor(started: StartedTestContainer, testbedFile: TestbedFile) {
    super(started)
    this.#testbedFile = testbedFile
  }

  /** Returns the contents of `testbed.json`. This process can reach the testbed at its addresses. */
  getTestbedFile(): TestbedFile {
    return this.#testbedFile
  }

  /** Writes `testbed.json`, for example for `testbed run --testbed` or TESTBED_FILE. It contains keys. */
  async writeTestbedFile(path: string): Promise<void> {
    await writeFile(path, `${JSON.stringify(this.#testbedFile, null, 2)}\n`, { mode: 0o600 })
  }

  /** Passes each line of the testbed's output to `onLine`, from its start until the container stops. */
  async followLog(onLine: (line: string) => void): Promise<void> {
    createInterface({ input: await this.logs() }).on('line', onLine)
  }
}
