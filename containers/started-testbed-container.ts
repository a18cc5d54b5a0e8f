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

  /** What `testbed.json` holds; its addresses are those by which this process reaches the testbed. */
  getTestbedFile(): TestbedFile {
    return this.#testbedFile
  }

  /** Writes `testbed.json`, for `testbed run --testbed`, TESTBED_FILE and the like; it holds keys. */
  async writeTestbedFile(path: string): Promise<void> {
    await writeFile(path, `${JSON.stringify(this.#testbedFile, null, 2)}\n`, { mode: 0o600 })
  }

  /** Tells each line that the testbed prints, from its start on, until the container stops. */
  async followLog(onLine: (line: string) => void): Promise<void> {
    createInterface({ input: await this.logs() }).on('line', onLine)
  }
}
