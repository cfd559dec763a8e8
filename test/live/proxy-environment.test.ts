import { describe, expect, it } from 'vitest';
import { proxyFromEnvironment } from '../../src/sources/live/proxy-environment.ts';

const proxy = 'http://proxy:3128';

describe('the proxy of the environment', () => {
  it.each<{ server: string; env: Record<string, string>; expected: string | undefined }>([
    { server: 'https://api:6443', env: {}, expected: undefined },
    { server: 'https://api:6443', env: { HTTPS_PROXY: proxy }, expected: proxy },
    { server: 'https://api:6443', env: { https_proxy: proxy }, expected: proxy },
    { server: 'https://api:6443', env: { HTTPS_PROXY: proxy, https_proxy: 'http://other' }, expected: proxy },
    { server: 'https://api:6443', env: { HTTP_PROXY: proxy }, expected: undefined },
    { server: 'http://api:8080', env: { HTTP_PROXY: proxy }, expected: proxy },
    { server: 'https://api', env: { HTTPS_PROXY: 'proxy:3128' }, expected: proxy },
    { server: 'https://api', env: { HTTPS_PROXY: 'socks5://proxy:1080' }, expected: 'socks5://proxy:1080' },
  ])('of $server with $env is $expected', ({ server, env, expected }) => {
    expect(proxyFromEnvironment(new URL(server), env)).toBe(expected);
  });

  it.each(['https://localhost:6443', 'https://127.0.0.1:6443', 'https://127.8.8.8', 'https://[::1]:6443'])(
    'is not used for %s',
    (server) => {
      expect(proxyFromEnvironment(new URL(server), { HTTPS_PROXY: proxy })).toBeUndefined();
    },
  );

  it.each([
    ['*', 'https://api.example.com', false],
    ['example.com', 'https://example.com', false],
    ['example.com', 'https://api.example.com', false],
    ['example.com', 'https://anexample.com', true],
    ['EXAMPLE.com', 'https://api.example.com', false],
    ['.example.com', 'https://api.example.com', false],
    ['.example.com', 'https://example.com', true],
    ['*.example.com', 'https://api.example.com', false],
    ['other.org, example.com ,', 'https://example.com', false],
    ['example.com:6443', 'https://example.com:6443', false],
    ['example.com:6443', 'https://example.com:443', true],
    ['example.com:443', 'https://example.com', false],
    ['10.0.0.1', 'https://10.0.0.1:6443', false],
    ['10.0.0.1:443', 'https://10.0.0.1:6443', true],
    ['10.0.0.0/8', 'https://10.20.30.40', false],
    ['10.0.0.0/8', 'https://11.20.30.40', true],
    ['10.0.0.0/99', 'https://10.20.30.40', true],
    ['fd00::/8', 'https://[fd12::1]:6443', false],
    ['[fd12::1]:6443', 'https://[fd12::1]:6443', false],
    ['fd12::1', 'https://[fd12::1]:6443', false],
    ['10.0.0.0/8', 'https://api', true],
    ['', 'https://api', true],
  ])('with NO_PROXY=%s for %s: used %s', (noProxy, server, isUsed) => {
    const found = proxyFromEnvironment(new URL(server), { HTTPS_PROXY: proxy, NO_PROXY: noProxy });
    expect(found !== undefined).toBe(isUsed);
  });
});
