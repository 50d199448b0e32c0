import type { Locale } from '@chargehand/contract';

/** A city to find one's bearings. */
export interface City {
  names: Readonly<Record<Locale, string>>;
  latitude: number;
  longitude: number;
  /** shown on maps of at most this width, in units of the plane */
  widest: number;
}

/** The widths of maps on which the cities of each group are shown: a continent, a country, a province. */
const WIDEST = { continent: 400, country: 120, province: 40 } as const;

/** Latitude and longitude of the center to a hundredth of a degree, about a kilometer, and the names. */
const CITIES: Readonly<Record<keyof typeof WIDEST, string>> = {
  continent: `
    39.90 116.40 Beijing 北京; 31.23 121.47 Shanghai 上海; 22.32 114.17 Hong Kong 香港; 35.68 139.69 Tokyo 东京
    37.57 126.98 Seoul 首尔; 1.35 103.82 Singapore 新加坡; 13.76 100.50 Bangkok 曼谷; -6.21 106.85 Jakarta 雅加达
    28.61 77.21 Delhi 德里; 19.08 72.88 Mumbai 孟买; 25.20 55.27 Dubai 迪拜; 41.01 28.98 Istanbul 伊斯坦布尔
    55.76 37.62 Moscow 莫斯科; 51.51 -0.13 London 伦敦; 48.86 2.35 Paris 巴黎; 52.52 13.40 Berlin 柏林
    40.42 -3.70 Madrid 马德里; 30.04 31.24 Cairo 开罗; 6.52 3.38 Lagos 拉各斯; -1.29 36.82 Nairobi 内罗毕
    -26.20 28.05 Johannesburg 约翰内斯堡; -33.87 151.21 Sydney 悉尼; 40.71 -74.01 New York 纽约
    34.05 -118.24 Los Angeles 洛杉矶; 41.88 -87.63 Chicago 芝加哥; 19.43 -99.13 Mexico City 墨西哥城
    -23.55 -46.63 São Paulo 圣保罗; -34.60 -58.38 Buenos Aires 布宜诺斯艾利斯`,
  country: `
    23.13 113.26 Guangzhou 广州; 30.57 104.07 Chengdu 成都; 29.56 106.55 Chongqing 重庆; 30.59 114.31 Wuhan 武汉
    34.34 108.94 Xi'an 西安; 41.80 123.43 Shenyang 沈阳; 43.83 87.62 Ürümqi 乌鲁木齐; 25.04 102.71 Kunming 昆明
    25.03 121.57 Taipei 台北; 34.69 135.50 Osaka 大阪; 14.60 120.98 Manila 马尼拉; 21.03 105.85 Hanoi 河内
    10.82 106.63 Ho Chi Minh City 胡志明市; 3.14 101.69 Kuala Lumpur 吉隆坡; 12.97 77.59 Bengaluru 班加罗尔
    24.71 46.68 Riyadh 利雅得; 52.37 4.90 Amsterdam 阿姆斯特丹; 41.90 12.50 Rome 罗马; 59.33 18.07 Stockholm 斯德哥尔摩
    59.91 10.75 Oslo 奥斯陆; 52.23 21.01 Warsaw 华沙; 48.21 16.37 Vienna 维也纳; 48.14 11.58 Munich 慕尼黑
    53.55 9.99 Hamburg 汉堡; 41.39 2.17 Barcelona 巴塞罗那; 53.48 -2.24 Manchester 曼彻斯特; -37.81 144.96 Melbourne 墨尔本
    37.77 -122.42 San Francisco 旧金山; 29.76 -95.37 Houston 休斯敦; 25.76 -80.19 Miami 迈阿密; 43.65 -79.38 Toronto 多伦多
    47.61 -122.33 Seattle 西雅图; 4.71 -74.07 Bogotá 波哥大; -33.45 -70.67 Santiago 圣地亚哥; -33.92 18.42 Cape Town 开普敦`,
  province: `
    22.54 114.06 Shenzhen 深圳; 22.20 113.55 Macao 澳门; 22.27 113.58 Zhuhai 珠海; 23.02 113.12 Foshan 佛山
    23.02 113.75 Dongguan 东莞; 23.11 114.42 Huizhou 惠州; 30.27 120.15 Hangzhou 杭州; 32.06 118.80 Nanjing 南京
    31.30 120.58 Suzhou 苏州; 31.49 120.31 Wuxi 无锡; 29.87 121.55 Ningbo 宁波; 31.82 117.23 Hefei 合肥
    26.07 119.30 Fuzhou 福州; 24.48 118.09 Xiamen 厦门; 28.23 112.94 Changsha 长沙; 28.68 115.86 Nanchang 南昌
    34.75 113.63 Zhengzhou 郑州; 36.65 117.12 Jinan 济南; 36.07 120.38 Qingdao 青岛; 39.08 117.20 Tianjin 天津
    38.04 114.51 Shijiazhuang 石家庄; 37.87 112.55 Taiyuan 太原; 38.91 121.61 Dalian 大连; 43.82 125.32 Changchun 长春
    45.80 126.53 Harbin 哈尔滨; 40.84 111.75 Hohhot 呼和浩特; 36.06 103.83 Lanzhou 兰州; 36.62 101.78 Xining 西宁
    38.49 106.23 Yinchuan 银川; 26.65 106.63 Guiyang 贵阳; 22.82 108.37 Nanning 南宁; 20.04 110.20 Haikou 海口
    29.65 91.14 Lhasa 拉萨`,
};

export const ALL_CITIES: readonly City[] = Object.entries(CITIES).flatMap(([group, list]) =>
  list.split(/[;\n]/).flatMap((line) => {
    const [latitude, longitude, ...names] = line.trim().split(' ');
    const zh = names.at(-1);
    if (zh === undefined) return [];
    return {
      names: { 'en-US': names.slice(0, -1).join(' '), 'zh-CN': zh },
      ...{ latitude: Number(latitude), longitude: Number(longitude), widest: WIDEST[group as keyof typeof WIDEST] },
    };
  }),
);
