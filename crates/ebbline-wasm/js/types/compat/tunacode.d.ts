/** tunacode */
export interface TunacodeCompat {}
