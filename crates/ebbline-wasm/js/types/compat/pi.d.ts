/** pi */
export interface PiCompat {}
