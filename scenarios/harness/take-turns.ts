const underWay = new Map<string, Promise<unknown>>()

/**
 * Does the work after all that was begun before under the same name, and hands on its outcome. The
 * scenarios of a process write with the same accounts, whose transactions have to follow each other;
 * scenarios of other processes are met by building again.
 */
export async function takeTurns<T>(name: string, work: () => Promise<T>): Promise<T> {
  const mine = (underWay.get(name) ?? Promise.resolve()).then(work)
  const settled = mine.catch(() => {})
  underWay.set(name, settled)
  try {
    return await mine
  } finally {
    if (underWay.get(name) === settled) underWay.delete(name)
  }
}
