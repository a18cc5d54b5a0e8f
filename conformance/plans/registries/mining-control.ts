/** Whoever can hold the chain below a registry: the way to what is sent and not mined yet. */
export interface MiningControl {
  /** From now on no transaction is mined. */
  hold(): Promise<void>
  /** Mines what waits, and from now on whatever comes. */
  mine(): Promise<void>
}
