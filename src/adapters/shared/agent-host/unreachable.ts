// What programs say when the network between them and their model is away: the model has refused
// nothing, and the network comes back without a person.

const CODES = "ECONN[A-Z]+|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|EPIPE";
/** Of Node's fetch, of Bun's, and of the libraries around them. */
const WORDS =
  "fetch failed|connection error|getaddrinfo|socket hang up|premature close|cannot connect to api|unable to connect|socket connection was closed|(?:^|TypeError: )terminated$";
const UNREACHABLE = new RegExp(`\\b(?:${CODES})\\b|${WORDS}`, "i");

export const isUnreachable = (said: string): boolean => UNREACHABLE.test(said);
