import { BlockList, isIP } from 'node:net';

/**
 * The proxy that the environment names for a server, if any: HTTPS_PROXY or HTTP_PROXY by the server's scheme, upper case first,
 * unless NO_PROXY names the host. A server on this machine is never reached through a proxy.
 * golang/net http/httpproxy/proxy.go.
 */
export function proxyFromEnvironment(
  server: URL,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const variable = (name: string) => env[name] || env[name.toLowerCase()] || '';
  const proxy = variable(server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === '' || !usesProxy(server, variable('NO_PROXY'))) return undefined;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

function usesProxy(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  if (host === 'localhost' || isLoopback(host)) return false;
  return !noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && matches(entry, host, port));
}

/** One entry of NO_PROXY: "*", an address, a CIDR range, a domain with its subdomains, ".domain" for subdomains alone; all but ranges with a port. */
function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const family = isIP(host);
  const [, network, bits] = /^([0-9a-f.:]+)\/(\d+)$/.exec(entry) ?? [];
  if (network !== undefined && isIP(network) !== 0) return family !== 0 && inRange(host, network, Number(bits));
  const { name, onlyPort } = splitPort(entry);
  if (name === '' || (onlyPort !== undefined && onlyPort !== port)) return false;
  if (isIP(name) !== 0) return family !== 0 && inRange(host, name, isIP(name) === 4 ? 32 : 128);
  if (family !== 0) return false;
  const domain = name.startsWith('*.') ? name.slice(1) : name;
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function splitPort(entry: string): { readonly name: string; readonly onlyPort?: string } {
  if (isIP(entry) === 6) return { name: entry };
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  return { name: bracketed ?? plain ?? '', ...(port === undefined ? {} : { onlyPort: port }) };
}

function inRange(address: string, network: string, bits: number): boolean {
  const type = isIP(network) === 4 ? 'ipv4' : 'ipv6';
  if (bits > (type === 'ipv4' ? 32 : 128)) return false;
  const range = new BlockList();
  range.addSubnet(network, bits, type);
  return range.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

const isLoopback = (host: string): boolean => isIP(host) !== 0 && (inRange(host, '127.0.0.0', 8) || host === '::1');
